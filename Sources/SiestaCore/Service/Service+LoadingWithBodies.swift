/// Resources whose loads send a body, for example for a search, for GraphQL, or with the method QUERY.
///
/// The method and the body are part of the identity of such a resource. Equal bodies belong to the same resource, and
/// each different body has a resource of its own. Like any other resource, it has data, observers, caches, retries and
/// polls.
///
/// The URL alone determines which rules of ``Service/configure(_:requestMethods:description:configurer:)`` apply. Loads
/// use the configuration for GET, no matter which method they use. Other requests of such a resource, such as
/// `resource.request(.post)`, do not send the body.
///
/// A persistent cache stores the content for each body under a key of its own. An ``EntityCache`` stores the content of
/// such resources only if it returns different keys for different values of ``Resource/identifier``.
extension Service {
    /// Returns the resource at a path. Loads of this resource send the given body.
    ///
    ///     let matches = service.resource("/search", loadedBy: .post, body: .json(["text": "swift"]))
    ///     matches.loadIfNeeded()
    ///
    /// The keys of JSON objects are sorted, so that equal values lead to the same resource. If the body cannot be
    /// encoded, all requests of the resource fail, with the same cause as any other request with this body. The body of
    /// a load must be in memory. If the body is a file, a form or a stream, all requests fail with the code
    /// ``RequestError/Code/unencodableBody``.
    ///
    /// - Parameters:
    ///   - path: The path to append to ``baseURL``; see ``resource(_:)``.
    ///   - method: The method of the loads.
    ///   - body: The body that loads send. By default, it is encoded with the ``Configuration/jsonEncoder`` of the
    ///     configuration for GET.
    public final func resource(_ path: String, loadedBy method: LoadMethod, body: RequestBody) -> Resource {
        let plain = resource(path)
        do {
            let body = try body.encoded(for: .init(resource: plain, method: .get, isIdentity: true))
            guard let data = body.data else {
                throw RequestError.Failure(.unencodableBody, reason: "the body of a load must be in memory")
            }
            let loadBody = LoadBody(method: method, data: data, contentType: body.contentType ?? "")
            return context.resource(plain, loadedWith: loadBody)
        } catch {
            guard !plain.isPeculiar else { return plain }
            return Resource(context: context, location: plain.address, peculiarity: .invalidBody(error))
        }
    }

    /// Returns the typed resource at a path, with content of type `type`. Its loads send a body; see
    /// ``resource(_:loadedBy:body:)``.
    public final func resource<Content: Sendable>(
        _ path: String, as type: Content.Type, loadedBy method: LoadMethod, body: RequestBody
    ) -> TypedResource<Content> {
        resource(path, loadedBy: method, body: body).typed()
    }
}
