extension TypedResource {
    /// Adds an observer that owns itself; see ``Resource/addObserver(_:)``. The observer receives the untyped resource.
    @discardableResult
    public func addObserver(_ observer: any ResourceObserver & AnyObject) -> Self {
        resource.addObserver(observer)
        return self
    }

    /// Adds an observer that `owner` owns; see ``Resource/addObserver(_:owner:)``. The observer receives the untyped
    /// resource.
    @discardableResult
    public func addObserver(_ observer: any ResourceObserver, owner: AnyObject) -> Self {
        resource.addObserver(observer, owner: owner)
        return self
    }

    /// Adds a closure as an observer, and keeps it until `owner` is released. Each call adds a new observer. The
    /// closure receives the typed resource:
    ///
    ///     user.addObserver(owner: self) { user, event in print(event, user.content?.name ?? "nobody") }
    ///
    /// See ``Resource/addObserver(owner:file:line:closure:)``.
    @discardableResult
    public func addObserver(
        owner: AnyObject, file: String = #file, line: Int = #line,
        closure: @escaping (TypedResource<Content>, ResourceEvent) -> Void
    ) -> Self {
        resource.addObserver(owner: owner, file: file, line: line) { closure(TypedResource($0), $1) }
        return self
    }

    /// Removes the observers of this resource that only `owner` owns; see ``Resource/removeObservers(ownedBy:)``.
    public func removeObservers(ownedBy owner: AnyObject?) {
        resource.removeObservers(ownedBy: owner)
    }
}
