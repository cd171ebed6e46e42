/// Resources whose loads have a body: search endpoints, GraphQL, and QUERY.
///
/// The method and the body are a part of the identity. Each body has a resource of its own, with data, observers,
/// caches, retries and polls as any other resource. Equal bodies have the same resource. The rules of
/// ``Service/configure(_:requestMethods:description:configurer:)`` apply by the URL, and loads have the configuration for
/// GET, whatever their method. Other requests of such a resource, such as `resource.request(.post)`, do not send the body.
///
/// A persistent cache stores the content of each body under a key of its own. An ``EntityCache`` stores content of such
/// resources only if its keys differ for different values of ``Resource/identifier``.
extension Service {
    /// Returns the resource at a path whose loads send a body.
    ///
    ///     let matches = service.resource("/search", loadedBy: .post, body: .json(["text": "swift"]))
    ///     matches.loadIfNeeded()
    ///
    /// The keys of JSON objects are sorted, so that equal values have the same resource. If the body cannot be encoded,
    /// all requests of the resource fail with the same cause as a request with this body. The body of a load must be in
    /// memory. If the body is a file, a form or a stream, the requests fail with the code
    /// ``RequestError/Code/unencodableBody``.
    ///
    /// - Parameters:
    ///   - path: The path; see ``resource(_:)``.
    ///   - method: The method of the loads.
    ///   - body: The body. Its encoder is the ``Configuration/jsonEncoder`` for GET.
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
