extension Resource.State {
    /// What lies over the data, or stands in for it. Nil for nearly all resources. A class, so that their states have one
    /// more word.
    final class Layers {
        /// The entity that stands in for missing data.
        let placeholder: Entity<Any>?
        /// A number that changes whenever the placeholder changes.
        let placeholderRevision: UInt32
        /// The data with pending edits; nil without such edits.
        let edited: Edited?

        init(placeholder: Entity<Any>?, revision: UInt32, edited: Edited?) {
            (self.placeholder, placeholderRevision, self.edited) = (placeholder, revision, edited)
        }
    }

    /// The result of pending edits.
    struct Edited {
        /// The data with the edits; nil if there is neither data nor an edit that creates it.
        let entity: Entity<Any>?
        /// A number that no other result has within the service.
        let number: UInt32
        /// The number of changes to which the edits belong.
        let changeCount: Int
    }

    /// The data that readers see: with pending edits, and without the placeholder. Every function that returns or announces
    /// data uses this property or ``shownOrPlaceholder``. The data below the edits is for caches, conditions and freshness.
    @inline(__always)
    var shown: Entity<Any>? {
        guard let edited = layers?.edited else { return data }
        return edited.entity
    }

    /// The data that readers see, or the placeholder if there is none.
    var shownOrPlaceholder: Entity<Any>? { shown ?? layers?.placeholder }

    /// True if ``shownOrPlaceholder`` is the placeholder.
    var isShowingPlaceholder: Bool { layers?.placeholder != nil && !hasShown }

    @inline(__always)
    var hasShown: Bool {
        guard let edited = layers?.edited else { return data != nil }
        return edited.entity != nil
    }

    /// The source of ``shown``.
    var shownSource: Resource.DataSource? {
        guard let edited = layers?.edited else { return source }
        return edited.entity == nil ? nil : .local
    }

    /// True if ``shown`` contains changes that the server has not confirmed yet.
    var isOptimistic: Bool { layers?.edited != nil }

    /// The number of changes that the server has not confirmed yet.
    var pendingChangeCount: Int { layers?.edited?.changeCount ?? 0 }

    /// A number that changes whenever ``shown`` changes, including its timestamp.
    var shownRevision: UInt64 { revision(over: dataRevision) }

    /// A number that changes whenever the content of ``shown`` changes.
    var shownContentRevision: UInt64 { revision(over: contentRevision) }

    private func revision(over base: UInt32) -> UInt64 {
        UInt64(base) | UInt64(layers?.edited?.number ?? 0) << 32
    }

    /// A number that changes whenever the placeholder changes.
    var placeholderRevision: UInt32 { layers?.placeholderRevision ?? 0 }

    /// Sets or removes the result of pending edits over the present data.
    mutating func setEdited(_ edited: Edited?) {
        setLayers(layers?.placeholder, placeholderRevision, edited)
    }

    /// Sets or removes the placeholder.
    mutating func setPlaceholder(_ placeholder: Entity<Any>?) {
        guard placeholder != nil || layers?.placeholder != nil else { return }
        setLayers(placeholder, placeholderRevision &+ 1, layers?.edited)
    }
}
