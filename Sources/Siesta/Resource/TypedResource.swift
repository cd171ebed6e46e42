/// A resource whose content is a `Content`: the same resource, looked at through its type.
///
///     let user = service.resource("/users/42", as: User.self)
///     let present = user.content          // User?
///     let loaded = try await user.load()  // User
///
/// It holds nothing of its own: several of them with any types on one URL, and the untyped ``Resource``, share data,
/// loads, and observers. How a body becomes a `Content` is configured for the URL, see
/// ``Service/decode(_:as:requestMethods:decoder:)``. Content of another type is never passed over in silence: it is the
/// error ``RequestError/Cause/WrongContentType``, which names both types, in ``error``, ``state`` and ``states``, and
/// what ``load()`` and ``fresh()`` throw.
@MainActor
public struct TypedResource<Content: Sendable>: Sendable {
    /// The resource itself.
    public nonisolated let resource: Resource

    /// Looks at `resource` through a type.
    public nonisolated init(_ resource: Resource) {
        self.resource = resource
    }

    // MARK: State

    /// The newest data, whatever its age; nil if there is none, or ``error`` says that it is of another type.
    ///
    /// What is set takes its place as if it had been loaded, so that a part of it can be changed: `user.content?.name =
    /// "Ada"`. The headers stay, and the age is zero; see ``Resource/overrideLocalContent(with:)``.
    ///
    /// Nil wipes the resource; see ``wipe()``. If the content is nil already, setting nil has no effect: the assignment
    /// above sets nil if there is no content to change.
    public var content: Content? {
        get { resource.latestData?.content as? Content }
        nonmutating set {
            if let newValue { resource.overrideLocalContent(with: newValue) } else { wipeContent() }
        }
    }

    /// The newest data with its headers; nil as ``content`` is.
    ///
    /// What is set takes its place with headers and age, so that a local change can be taken back; see
    /// ``Resource/overrideLocalData(with:)``. Nil wipes the resource, unless the entity is nil already; see ``content``.
    public var entity: Entity<Content>? {
        get { resource.latestData?.withContentRetyped() }
        nonmutating set {
            guard let newValue else { return wipeContent() }
            resource.overrideLocalData(with: newValue.withContent(newValue.content))
        }
    }

    /// Wipes the resource if ``content`` is not nil. Looks at the state alone, which is not tracked and asks no cache.
    private func wipeContent() {
        MainQueue.checkInDebug("TypedResource.content")
        if let data = resource.state.data, data.content is Content { wipe() }
    }

    /// Why the last load failed, or that the data is of another type.
    public var error: RequestError? {
        resource.latestError ?? resource.latestData.flatMap { $0.mismatch(with: Content.self) }
    }

    /// Whether a load is running.
    public var isLoading: Bool { resource.isLoading }

    /// Whether any request is running; see ``Resource/isRequesting``.
    public var isRequesting: Bool { resource.isRequesting }

    /// Whether ``loadIfNeeded()`` would do without the network; see ``Resource/isUpToDate``.
    public var isUpToDate: Bool { resource.isUpToDate }

    // MARK: Loading

    /// Loads the resource anew, and waits for its content.
    ///
    /// Cancellation is that of ``Request/value``. A task that is cancelled already starts no load.
    @discardableResult
    public func load() async throws(RequestError) -> Content {
        try resource.throwIfTaskIsCancelled()
        return try await resource.load().content()
    }

    /// Waits for content that is up to date, and loads it only if needed; see ``Resource/fresh()``.
    public func fresh() async throws(RequestError) -> Content {
        try await resource.fresh().requiredContent(as: Content.self)
    }

    /// Starts to load the resource if that is needed, and does not wait; see ``Resource/loadIfNeeded()``.
    @discardableResult
    public func loadIfNeeded() -> (any Request)? {
        resource.loadIfNeeded()
    }

    /// Makes the next ``fresh()`` or ``loadIfNeeded()`` load, however fresh the data is; see ``Resource/invalidate()``.
    public func invalidate() {
        resource.invalidate()
    }

    /// Starts a request, which changes nothing here; see ``Resource/request(_:requestMutation:)``.
    public func request(
        _ method: RequestMethod, requestMutation: @escaping Resource.RequestMutation = { _ in }
    ) -> any Request {
        resource.request(method, requestMutation: requestMutation)
    }

    /// Cancels all requests and forgets data and error; see ``Resource/wipe()``.
    public func wipe() {
        resource.wipe()
    }
}

extension TypedResource: nonisolated Hashable {
    /// Whether both are of the same resource.
    public nonisolated static func == (left: TypedResource, right: TypedResource) -> Bool {
        left.resource === right.resource
    }

    /// Hashes the identity of the resource.
    public nonisolated func hash(into hasher: inout Hasher) {
        hasher.combine(resource)
    }
}

extension TypedResource: nonisolated CustomStringConvertible {
    /// The resource's description, and the type.
    public nonisolated var description: String { "\(resource) as \(Content.self)" }
}

extension Resource {
    /// This resource, looked at through the type of its content; see ``TypedResource``.
    public nonisolated func typed<Content: Sendable>(as type: Content.Type = Content.self) -> TypedResource<Content> {
        TypedResource(self)
    }
}
