public import SiestaCore

// Names that are common in other libraries. Using one is an error whose message names the right declaration. None of them is part
// of the public interface.

extension Resource {
    /// Not available: use ``isOptimistic`` or ``pendingChanges``.
    @available(*, unavailable, message: "Use isOptimistic or pendingChanges.")
    public var hasPendingChanges: Bool { fatalError() }

    /// Not available: use ``isOptimistic`` or ``pendingChanges``.
    @available(*, unavailable, message: "Use isOptimistic or pendingChanges.")
    public var isMutating: Bool { fatalError() }

    /// Not available: use ``isOptimistic`` or ``pendingChanges``.
    @available(*, unavailable, message: "Use isOptimistic or pendingChanges.")
    public var isSaving: Bool { fatalError() }
}

extension Change {
    /// Not available: use ``value``.
    @available(*, unavailable, message: "Use value, or request.onSuccess(_:).")
    public func onSuccess(_ action: @escaping (Content?) -> Void) -> Self { fatalError() }

    /// Not available: use ``PendingChange/cancel()``.
    @available(*, unavailable, renamed: "cancel()")
    public func rollback() { fatalError() }

    /// Not available: use ``PendingChange/cancel()``.
    @available(*, unavailable, renamed: "cancel()")
    public func undo() { fatalError() }

    /// Not available: use ``PendingChange/cancel()``.
    @available(*, unavailable, renamed: "cancel()")
    public func revert() { fatalError() }
}
