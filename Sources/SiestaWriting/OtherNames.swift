public import SiestaCore

// Names that are common in other libraries. They are public only so that the compiler can report them: the error message gives the
// replacement, or the reason why there is none. They throw, so that none of them satisfies a requirement of an app's protocol.

extension Resource {
    /// Not available: only a typed resource can be changed. Use
    /// ``TypedResource/mutate(_:body:also:options:edit:resolve:)``.
    @available(*, unavailable, message: "Changes need a type of content: use resource(_:as:) or typed(as:).")
    @discardableResult
    public func mutate(
        _ method: RequestMethod = .patch, body: RequestBody? = nil, also edits: [ResourceEdit] = [],
        edit: ((inout UntypedContent) -> Void)? = nil
    ) throws -> Change<Void> { fatalError() }

    /// Not available: use a typed resource. The compiler accepts any member of this type, so that it reports the
    /// missing content type of an untyped resource instead of a missing member.
    @available(*, unavailable, message: "Changes need a type of content: use resource(_:as:) or typed(as:).")
    @dynamicMemberLookup
    public struct UntypedContent: Sendable {
        /// Not available: use a typed resource.
        public subscript<Value>(dynamicMember name: String) -> Value {
            get { fatalError() }
            set { fatalError() }
        }

        /// Not available: use a typed resource.
        public subscript<Value>(key: String) -> Value {
            get { fatalError() }
            set { fatalError() }
        }
    }

    /// Not available: use ``isOptimistic`` or ``pendingChanges``.
    @available(*, unavailable, message: "Use isOptimistic or pendingChanges.")
    public var isPending: Bool { get throws { fatalError() } }

    /// Not available: use ``isOptimistic`` or ``pendingChanges``.
    @available(*, unavailable, message: "Use isOptimistic or pendingChanges.")
    public var hasPendingChanges: Bool { get throws { fatalError() } }

    /// Not available: use ``isOptimistic`` or ``pendingChanges``.
    @available(*, unavailable, message: "Use isOptimistic or pendingChanges.")
    public var isMutating: Bool { get throws { fatalError() } }

    /// Not available: use ``isOptimistic`` or ``pendingChanges``.
    @available(*, unavailable, message: "Use isOptimistic or pendingChanges.")
    public var isSaving: Bool { get throws { fatalError() } }
}

extension TypedResource {
    /// Not available: a change requires a request method. Use ``mutate(_:body:also:options:edit:resolve:)``. To change
    /// only the local content, set ``content``.
    @available(*, unavailable, message: "Name a method: mutate(.patch, body: …) { … }. For a local edit, set content.")
    @discardableResult
    public func mutate(_ edit: (inout Content) -> Void) throws -> Change<Content> { fatalError() }
}

extension Change {
    /// Not available: use ``value``.
    @available(*, unavailable, message: "Use value, or request.onSuccess(_:).")
    public func onSuccess(_ action: @escaping (Content?) -> Void) throws -> Self { fatalError() }

    /// Not available: use ``PendingChange/cancel()``.
    @available(*, unavailable, renamed: "cancel()")
    public func rollback() throws { fatalError() }

    /// Not available: use ``PendingChange/cancel()``.
    @available(*, unavailable, renamed: "cancel()")
    public func undo() throws { fatalError() }

    /// Not available: use ``PendingChange/cancel()``.
    @available(*, unavailable, renamed: "cancel()")
    public func revert() throws { fatalError() }

    /// Not available: use ``value``.
    @available(*, unavailable, message: "Use value, or request.onCompletion(_:).")
    public func onCompletion(_ action: @escaping (ResponseInfo) -> Void) throws -> Self { fatalError() }

    /// Not available: use ``PendingChange/isPending``.
    @available(*, unavailable, message: "Use !isPending.")
    public var isCompleted: Bool { get throws { fatalError() } }
}
