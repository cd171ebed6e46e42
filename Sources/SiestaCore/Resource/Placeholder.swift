extension Resource {
    /// The entity to show as long as the resource has no data. The default is nil. The value is also nil whenever the
    /// resource has data.
    ///
    /// Use a placeholder for a value that the app can show before the first load. For example, the detail screen of an
    /// item can show the item from the list. ``snapshot``, ``states`` and a ``ResourceSwitcher`` provide the
    /// placeholder as data, with ``Snapshot/isPlaceholder`` set to true. The resource itself still has no data:
    /// ``latestData`` stays nil, the resource is not up to date, and no cache stores the placeholder. To store data
    /// that the app already knows, use ``Service/seed(_:for:)``.
    ///
    /// A wipe removes the placeholder, so that no user sees the placeholders of another user. Observation tracks this
    /// property. When the placeholder changes, loops over ``states`` receive the new state at once, but observers
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
    /// The content to show as long as the resource has no data; see ``Resource/placeholder``. The content type of the
    /// placeholder is `application/binary`.
    public var placeholder: Content? {
        get { resource.placeholder?.cast(to: Content.self) }
        nonmutating set {
            resource.placeholder = newValue.map { content in
                resource.context.clock.whileCalling { Entity<Any>(content: content, contentType: "application/binary") }
            }
        }
    }
}
