import SiestaCore

/// Properties of a list that Observation can track.
struct PagedResourceProperties: OptionSet {
    let rawValue: UInt16

    /// The number of all properties.
    static let count = 10

    static let hasNext = PagedResourceProperties(rawValue: 1 << 0)
    static let hasPrevious = PagedResourceProperties(rawValue: 1 << 1)
    static let isLoading = PagedResourceProperties(rawValue: 1 << 2)
    static let isLoadingNext = PagedResourceProperties(rawValue: 1 << 3)
    static let isLoadingPrevious = PagedResourceProperties(rawValue: 1 << 4)
    static let error = PagedResourceProperties(rawValue: 1 << 5)
    static let total = PagedResourceProperties(rawValue: 1 << 6)
    static let pages = PagedResourceProperties(rawValue: 1 << 7)
    static let resources = PagedResourceProperties(rawValue: 1 << 8)
    static let items = PagedResourceProperties(rawValue: 1 << 9)
}

extension PagedResource {
    /// The properties of the list except its items, as they were announced last.
    struct Status {
        var next: Resource?
        var previous: Resource?
        var isLoading = false
        var isLoadingNext = false
        var isLoadingPrevious = false
        var error: PagedResource.Failure?
        var total: Int?
        var pagesRevision = 0
        var observedRevision = 0

        /// Returns the properties whose values differ.
        func changes(to new: Status) -> PagedResourceProperties {
            var changes: PagedResourceProperties = []
            if (next == nil) != (new.next == nil) { changes.insert(.hasNext) }
            if (previous == nil) != (new.previous == nil) { changes.insert(.hasPrevious) }
            if isLoading != new.isLoading { changes.insert(.isLoading) }
            if isLoadingNext != new.isLoadingNext { changes.insert(.isLoadingNext) }
            if isLoadingPrevious != new.isLoadingPrevious { changes.insert(.isLoadingPrevious) }
            if !RequestError.areSame(error?.error, new.error?.error) || error?.page !== new.error?.page {
                changes.insert(.error)
            }
            if total != new.total { changes.insert(.total) }
            if pagesRevision != new.pagesRevision { changes.insert(.pages) }
            if observedRevision != new.observedRevision { changes.insert(.resources) }
            return changes
        }
    }

    /// Computes the properties again, and announces those that have changed.
    ///
    /// Code that is told about a change before it is made may cause another change. Therefore the values are computed
    /// again after the announcement.
    func update() {
        var announced: PagedResourceProperties = []
        var new = currentStatus()
        while case let missing = known.changes(to: new).subtracting(announced), !missing.isEmpty {
            willSet(missing)
            announced.formUnion(missing)
            new = currentStatus()
        }
        let old = exchange(&known, with: new)
        didSet(announced)
        withExtendedLifetime(old) {}
    }

    private func currentStatus() -> Status {
        // The closures of the app may change the list.
        for _ in 0..<8 where knownLinksNumber != linksNumber {
            let number = linksNumber
            links = (target(.next), target(.previous))
            knownLinksNumber = number
        }
        forgetUnexpectedPages()
        return Status(
            next: links.next, previous: links.previous, isLoading: isAnyPageLoading,
            isLoadingNext: isLoading(.next), isLoadingPrevious: isLoading(.previous), error: failures.last,
            total: currentTotal, pagesRevision: list.pagesRevision, observedRevision: observedRevision)
    }

    /// A page may be loaded for the list while it is no part of it: a reload of the page before may have dropped it.
    private var isAnyPageLoading: Bool { !busy.isEmpty || !loads.isEmpty || beginning != nil }

    private func isLoading(_ direction: PageDirection) -> Bool { loads[direction] != nil || beginning == direction }

    /// Ends the observation of a page that was to be added, if the list leads to another page now, and if no load of the list
    /// waits for it.
    private func forgetUnexpectedPages() {
        var isAnyForgotten = false
        for (direction, page) in expected where loads[direction] == nil {
            if page === (direction == .next ? links.next : links.previous) { continue }
            expected[direction] = nil
            isAnyForgotten = true
        }
        if isAnyForgotten { observeOnlyPages() }
    }

    /// Makes a change of the items, and announces it. The change may call code of the app. The events that this code
    /// causes are handled after the change.
    func changeItems(_ change: () -> Void) {
        willSet(.items)
        isChanging = true
        change()
        isChanging = false
        linksNumber += 1
        didSet(.items)
        while !isChanging, !delayedEvents.isEmpty {
            let next = delayedEvents.removeFirst()
            pageChanged(next.page, next.event)
        }
    }

    // MARK: Observation

    /// Tells Observation that code reads a property.
    func track(_ property: PagedResourceProperties) {
        tracked[property.rawValue.trailingZeroBitCount].access()
    }

    private func willSet(_ properties: PagedResourceProperties) {
        for (index, property) in tracked.enumerated() where properties.rawValue >> index & 1 == 1 { property.willSet() }
    }

    private func didSet(_ properties: PagedResourceProperties) {
        for (index, property) in tracked.enumerated() where properties.rawValue >> index & 1 == 1 { property.didSet() }
    }
}
