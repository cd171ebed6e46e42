extension Resource.State {
    /// What few states have: an error, and the layers over the data. In one allocation, so that a state is small.
    package struct Rest {
        /// The error of the last load.
        var error: RequestError?
        /// The entity that stands in for missing data.
        private(set) var placeholder: Entity<Any>?
        /// A number that changes whenever the placeholder changes.
        private(set) var placeholderRevision: UInt32 = 0
        /// True if pending edits must be applied to each new data. Edits are code of the app, so that the owner of the state
        /// applies them.
        var needsEdits = false
        /// The data with pending edits; nil without such edits, and before they are shown.
        var edited: Edited?

        var isEmpty: Bool { error == nil && placeholder == nil && !needsEdits && edited == nil }

        mutating func setPlaceholder(_ new: Entity<Any>?) {
            if new != nil || placeholder != nil { placeholderRevision &+= 1 }
            placeholder = new
        }
    }

    /// The result of pending edits.
    package struct Edited {
        /// The data with the edits; nil if there is neither data nor an edit that creates it.
        let entity: Entity<Any>?
        /// A number that no other result has within the service.
        package let number: UInt32
        /// The number of changes to which the edits belong.
        let changeCount: Int

        package init(entity: Entity<Any>?, number: UInt32, changeCount: Int) {
            (self.entity, self.number, self.changeCount) = (entity, number, changeCount)
        }
    }

    /// The error of the last load; nil if it succeeded.
    package var error: RequestError? { rest.value?.error }

    /// The result of pending edits; nil without such edits, and before they are shown.
    package var edited: Edited? { rest.value?.edited }

    /// True if pending edits must be applied to each new data; see ``setEdited(_:)``.
    var needsEdits: Bool { rest.value?.needsEdits ?? false }

    /// The entity that stands in for missing data, whether or not it is missing.
    var placeholder: Entity<Any>? { rest.value?.placeholder }

    /// A number that changes whenever the placeholder changes.
    var placeholderRevision: UInt32 { rest.value?.placeholderRevision ?? 0 }

    /// The data that readers see: with pending edits, and without the placeholder. Every function that returns or announces
    /// data uses this property or ``shownOrPlaceholder``. The data below the edits is for caches, conditions and freshness.
    @inline(__always)
    var shown: Entity<Any>? {
        guard let edited else { return data }
        return edited.entity
    }

    /// The data that readers see, or the placeholder if there is none.
    var shownOrPlaceholder: Entity<Any>? { shown ?? placeholder }

    /// True if ``shownOrPlaceholder`` is the placeholder.
    var isShowingPlaceholder: Bool { placeholder != nil && !hasShown }

    @inline(__always)
    var hasShown: Bool {
        guard let edited else { return data != nil }
        return edited.entity != nil
    }

    /// The source of ``shown``.
    package var shownSource: Resource.DataSource? {
        guard let edited else { return source }
        return edited.entity == nil ? nil : .local
    }

    /// True if ``shown`` contains changes that the server has not confirmed yet.
    package var isOptimistic: Bool { edited != nil }

    /// The number of changes that the server has not confirmed yet.
    var pendingChangeCount: Int { edited?.changeCount ?? 0 }

    /// A number that changes whenever ``shown`` changes, including its timestamp.
    package var shownRevision: UInt64 { revision(over: dataRevision) }

    /// A number that changes whenever the content of ``shown`` changes.
    var shownContentRevision: UInt64 { revision(over: contentRevision) }

    private func revision(over base: UInt32) -> UInt64 {
        UInt64(base) | UInt64(edited?.number ?? 0) << 32
    }

    /// Notes that there are pending edits. They are not shown yet.
    mutating func beginEdits() {
        changeRest(isRemoval: false) { $0.needsEdits = true }
    }

    /// Sets or removes the result of pending edits over the present data.
    package mutating func setEdited(_ edited: Edited?) {
        changeRest(isRemoval: edited == nil) { rest in
            (rest.needsEdits, rest.edited) = (edited != nil, edited)
        }
    }

    /// Sets or removes the placeholder.
    mutating func setPlaceholder(_ placeholder: Entity<Any>?) {
        changeRest(isRemoval: placeholder == nil) { $0.setPlaceholder(placeholder) }
    }
}
