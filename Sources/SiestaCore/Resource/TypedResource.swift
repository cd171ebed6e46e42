/// A resource whose content has the type `Content`: a typed view of a ``Resource``.
///
///     let user = service.resource("/users/42", as: User.self)
///     let present = user.content  // User?
///     let loaded = try await user.get(.always)  // User
///
/// A typed resource has no state of its own. It shares data, loads and observers with all typed resources of the same
/// URL and with the untyped ``Resource``. To produce content of type `Content`, configure a transformer for the URL;
/// see ``Service/decode(_:as:requestMethods:decoder:)``.
///
/// If the data has content of another type, ``error``, ``snapshot`` and ``states`` contain an error with the code
/// ``RequestError/Code/wrongContentType``, and ``get(_:)`` throws this error. The error names both types. If `Content`
/// is `Void`, content of any type is accepted.
///
/// Use a typed resource on the main actor. A task that runs elsewhere can await the methods of a typed resource.
@MainActor
@dynamicMemberLookup
public struct TypedResource<Content: Sendable>: Sendable {
    /// The resource of which this value is a typed view.
    public nonisolated let resource: Resource

    /// Creates a typed view of `resource`.
    public nonisolated init(_ resource: Resource) {
        self.resource = resource
    }

    // MARK: State

    /// The newest content, fresh or stale; nil if there is no data, or if the content is not of type `Content`. In the
    /// second case, ``error`` reports the wrong type.
    ///
    /// Setting a value replaces the content as if the value had been loaded. An app can also change a part of the
    /// content: `user.content?.name = "Ada"`. The headers are kept, and the timestamp becomes the current time.
    /// Persistent caches keep the content that the server has sent. To send the change to the server, use
    /// ``mutate(_:body:also:options:edit:resolve:)``.
    ///
    /// While changes are pending, the value that you read includes their edits. The library therefore assumes that any
    /// value you set already includes these edits. When data from the server replaces the value, the library applies
    /// the edits to the new data. If a pending change fails, the resource becomes stale, and the edit stays in the
    /// value until data from the server replaces the value.
    ///
    /// Setting nil wipes the resource; see ``wipe()``. If the content is already nil, setting nil or changing a part of
    /// the content has no effect.
    public var content: Content? {
        get { resource.latestData?.cast(to: Content.self) }
        nonmutating set {
            guard let newValue else { return wipeContent() }
            resource.pendingEdits?.willAssign()
            resource.overrideLocalContent(with: newValue, keepingCaches: true)
        }
    }

    /// The newest data with its headers; nil in the same cases as ``content``.
    ///
    /// Setting a value replaces the data, including its headers and its timestamp; see
    /// ``Resource/overrideLocalData(with:)``. To undo a local change, set the earlier entity again. Setting nil wipes
    /// the resource. If the entity is already nil, setting nil has no effect. Pending changes affect the entity in the
    /// same way as the ``content``.
    public var entity: Entity<Content>? {
        get {
            guard let data = resource.latestData, let content = data.cast(to: Content.self) else { return nil }
            return data.withContent(content)
        }
        nonmutating set {
            guard let newValue else { return wipeContent() }
            resource.pendingEdits?.willAssign()
            resource.overrideLocalData(with: newValue.withContent(newValue.content))
        }
    }

    /// Wipes the resource if ``content`` is not nil. Reads only the state, without tracking and without reading the
    /// caches.
    private func wipeContent() {
        MainQueue.checkInDebug("TypedResource.content")
        if let data = resource.shownData, data.cast(to: Content.self) != nil { wipe() }
    }

    /// The error of the last load. If there is none, but the content is not of type `Content`, the value is an error
    /// with the code ``RequestError/Code/wrongContentType``; otherwise nil.
    public var error: RequestError? {
        resource.latestError
            ?? resource.latestData.flatMap { $0.cast(to: Content.self) == nil ? mismatch(of: $0) : nil }
    }

    /// Gives access to the properties of the untyped ``resource``, for example to ``Resource/isLoading``,
    /// ``Resource/isUpToDate``, ``Resource/date`` and ``Resource/url``.
    public subscript<Value>(dynamicMember property: KeyPath<Resource, Value>) -> Value { resource[keyPath: property] }

    // MARK: Loading

    /// Requests the resource, even if its data is fresh, and returns at once; see ``Resource/load()``. To wait for the
    /// content, use ``get(_:)``.
    @discardableResult
    public func load() -> any Request { resource.load() }

    func content(of entity: Entity<Any>) throws(RequestError) -> Content {
        if let content = entity.cast(to: Content.self) { return content }
        throw mismatch(of: entity)
    }

    private func mismatch(of entity: Entity<Any>) -> RequestError {
        var error = entity.mismatch(Content.self)
        error.setRequest(resource.url, method: "GET")
        return error
    }

    /// Uses a request as a load of the resource; see ``Resource/load(using:)``. Use this method if the response to a
    /// PUT, PATCH or POST is the new content of the resource:
    ///
    ///     _ = try await user.load(using: user.request(.patch, body: .json(["name": "Ada"]))).value
    ///
    /// If the pipeline has not produced a `Content`, and `Content` is `Decodable`, the library decodes the JSON in the
    /// body of the response. ``Service/decode(_:as:requestMethods:decoder:)`` describes on which actor the decoder
    /// runs. If there is still no `Content`, the load fails, and the current data does not change.
    @discardableResult
    public func load(using request: any Request) -> any Request {
        resource.load(using: request.typed(as: Content.self))
    }

    /// Starts a load if necessary, and returns at once; see ``Resource/loadIfNeeded()``.
    @discardableResult
    public func loadIfNeeded() -> (any Request)? {
        resource.loadIfNeeded()
    }

    /// Makes the next ``get(_:)`` or ``loadIfNeeded()`` load the resource, even if its data is fresh; see
    /// ``Resource/invalidate()``.
    public func invalidate() {
        resource.invalidate()
    }

    /// Cancels all requests, and removes the data and the error; see ``Resource/wipe()``.
    public func wipe() {
        resource.wipe()
    }
}

extension TypedResource {
    /// Starts a request without a body; see ``Resource/request(_:requestMutation:)``.
    ///
    /// The request neither changes the state of the resource nor notifies its observers. The content of the response
    /// need not be of type `Content`. To decode it, call ``FinishedResponse/decoded(as:decoder:)``. If the response is
    /// the new content of the resource, pass the request to ``load(using:)``.
    public func request(
        _ method: RequestMethod, requestMutation: @escaping Resource.RequestMutation = { _ in }
    ) -> any Request {
        resource.request(method, requestMutation: requestMutation)
    }

    /// Starts a request with a body; see ``Resource/request(_:body:requestMutation:)``.
    public func request(
        _ method: RequestMethod, body: RequestBody, requestMutation: @escaping Resource.RequestMutation = { _ in }
    ) -> any Request {
        resource.request(method, body: body, requestMutation: requestMutation)
    }
}

/// A ``Resource`` or a ``TypedResource``. Functions that do not depend on the type of the content accept both.
public protocol ResourceConvertible: Sendable {
    /// The resource itself, or the untyped resource of a ``TypedResource``.
    nonisolated var resource: Resource { get }
}

extension Resource: nonisolated ResourceConvertible {
    /// The resource itself.
    public nonisolated var resource: Resource { self }
}

extension TypedResource: nonisolated ResourceConvertible {}

/// Two values are equal if they are views of the same resource.
extension TypedResource: nonisolated Hashable {}

extension Resource {
    /// Returns this resource as a ``TypedResource`` with content of type `type`.
    public nonisolated func typed<Content: Sendable>(as type: Content.Type = Content.self) -> TypedResource<Content> {
        TypedResource(self)
    }
}
