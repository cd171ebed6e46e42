extension Resource {
    /// The entity that is shown as long as the resource has no data; nil if no placeholder is set, or if the resource
    /// has data. The default is nil.
    ///
    /// Use a placeholder for a value that the app can show before the first load. For example, the detail screen of a
    /// list element can show the element from the list. ``snapshot``, ``states`` and a ``ResourceSwitcher`` contain the
    /// placeholder, and mark it with ``Snapshot/isPlaceholder``. The placeholder is not data: ``latestData`` stays nil,
    /// the resource is not up to date, and no cache stores the placeholder. To store known data, use
    /// ``Service/seed(_:for:)``.
    ///
    /// A wipe removes the placeholder, so that no user sees the placeholders of another user. Observation tracks this
    /// property. When the placeholder changes, loops over ``states`` receive the new state at once, and observers
    /// receive no event.
    public var placeholder: Entity<Any>? {
        get {
            MainQueue.checkInDebug("Resource.placeholder")
            guard latestData == nil else { return nil }
            track(.placeholder, \.placeholder)
            return state.placeholder
        }
        set {
            MainQueue.checkInDebug("Resource.placeholder")
            guard newValue != nil || state.placeholder != nil else { return }
            change { $0.setPlaceholder(newValue) }
            observerList?.deliverSilentChange(of: self)
        }
    }
}

extension TypedResource {
    /// Content that is shown as long as the resource has no data; see ``Resource/placeholder``. Its content type is
    /// `application/binary`.
    public var placeholder: Content? {
        get { resource.placeholder?.cast(to: Content.self) }
        nonmutating set {
            resource.placeholder = newValue.map { content in
                resource.context.clock.whileCalling { Entity<Any>(content: content, contentType: "application/binary") }
            }
        }
    }
}
