import Observation

/// The placeholders of the resources of one service. Pure.
struct Placeholders {
    fileprivate struct Entry {
        weak var resource: Resource?
        let entity: Entity<Any>
    }

    private var entries: [ObjectIdentifier: Entry] = [:]
    private var sweepLimit = SweepLimit()

    subscript(resource: Resource) -> Entity<Any>? {
        guard let entry = entries[ObjectIdentifier(resource)], entry.resource === resource else { return nil }
        return entry.entity
    }

    /// Values that a change has removed or used. Their release may run code of the app.
    struct Released {
        fileprivate var entries: [Entry] = []
        fileprivate var resources: [Resource?] = []
    }

    mutating func set(_ entity: Entity<Any>?, of resource: Resource) -> Released {
        var released = Released()
        let entry = entity.map { Entry(resource: resource, entity: $0) }
        if let old = exchange(&entries[ObjectIdentifier(resource)], with: entry) { released.entries.append(old) }
        guard sweepLimit.isReached(by: entries.count) else { return released }
        for (key, entry) in entries {
            let resource = entry.resource
            released.resources.append(resource)
            if resource == nil, let old = entries.removeValue(forKey: key) { released.entries.append(old) }
        }
        sweepLimit.noteSweep(leaving: entries.count)
        return released
    }
}

extension Resource {
    /// An entity that is shown as long as the resource has no data; nil if there is none, or if the resource has data. The
    /// default is nil.
    ///
    /// Use a placeholder for a value that the app can show before the first load: for example, an element of a list on
    /// the screen of the element. ``snapshot``, ``states`` and a ``ResourceSwitcher`` contain it, and mark it with
    /// ``Snapshot/isPlaceholder``. It is not data: ``latestData`` stays nil, the resource is not up to date, and no cache
    /// stores the placeholder. To store known data, use ``Service/seed(_:for:)``.
    ///
    /// A wipe removes the placeholder, so that no user sees the placeholders of another user. Observation tracks this
    /// property. Loops over ``states`` receive the new state at once, and observers receive no event.
    public var placeholder: Entity<Any>? {
        get {
            MainQueue.checkInDebug("Resource.placeholder")
            guard latestData == nil else { return nil }
            observation?.access(self, keyPath: \.placeholder)
            return context.placeholders?[self]
        }
        set {
            MainQueue.checkInDebug("Resource.placeholder")
            guard newValue != nil || context.placeholders != nil else { return }
            observation?.willSet(self, keyPath: \.placeholder)
            let old = context.setPlaceholder(newValue, of: self)
            observation?.didSet(self, keyPath: \.placeholder)
            observerList?.deliverSilentChange(of: self)
            withExtendedLifetime(old) {}
        }
    }

    /// Removes the placeholder because of a wipe, whose event follows.
    func removePlaceholder() {
        guard context.placeholders?[self] != nil else { return }
        observation?.willSet(self, keyPath: \.placeholder)
        let old = context.setPlaceholder(nil, of: self)
        observation?.didSet(self, keyPath: \.placeholder)
        withExtendedLifetime(old) {}
    }
}

extension TypedResource {
    /// Content that is shown as long as the resource has no data; see ``Resource/placeholder``. Its content type is
    /// `application/binary`.
    public var placeholder: Content? {
        get { resource.placeholder?.content(as: Content.self) }
        nonmutating set {
            resource.placeholder = newValue.map { content in
                resource.context.clock.whileCurrent { Entity<Any>(content: content, contentType: "application/binary") }
            }
        }
    }
}
