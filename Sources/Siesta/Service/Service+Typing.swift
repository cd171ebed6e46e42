public import Foundation

extension Service {
    /// The resource at ``baseURL`` with `path` appended, looked at through the type of its content; see
    /// ``TypedResource``.
    public final func resource<Content: Sendable>(_ path: String, as type: Content.Type) -> TypedResource<Content> {
        resource(path).typed()
    }

    /// The resource that a template (RFC 6570) makes of variables, looked at through the type of its content; see
    /// ``resource(template:_:)``.
    public final func resource<Content: Sendable>(
        template: String, _ variables: [String: any URITemplateVariable] = [:], as type: Content.Type
    ) -> TypedResource<Content> {
        resource(template: template, variables).typed()
    }

    /// Makes the resources that match `pattern` decode JSON into values of type `Content`.
    ///
    ///     service.decode("/users/*", as: User.self)
    ///     let user = try await service.resource("/users/42", as: User.self).fresh()
    ///
    /// Decoding takes the place of what the pipeline's `.model` stage did, and runs off the main actor; transformers of
    /// the `.parsing` stage, such as the standard JSON, are kept for the bodies of errors alone. What cannot be decoded
    /// is an error whose cause is the `DecodingError`.
    ///
    /// - Parameters:
    ///   - pattern: which resources; see ``configure(_:requestMethods:description:configurer:)``.
    ///   - type: what becomes of the bodies.
    ///   - requestMethods: the methods whose responses are decoded; nil for get, put, post and patch.
    ///   - decoder: the decoder for this rule; nil for the ``Configuration/jsonDecoder`` that earlier rules have set.
    ///     It must not be changed afterwards.
    public final func decode<Content: Decodable & Sendable>(
        _ pattern: any ConfigurationPatternConvertible, as type: Content.Type, requestMethods: [RequestMethod]? = nil,
        decoder: JSONDecoder? = nil
    ) {
        decode(pattern, as: type, requestMethods: requestMethods, decoder: decoder) { $0.content }
    }

    /// Makes the resources that match `pattern` decode JSON into values of type `Body`, and makes their content of
    /// those and the headers.
    ///
    ///     service.decode("/users", as: [User].self) { Page(users: $0.content, next: $0.header(forKey: "Link")) }
    ///     let page = try await service.resource("/users", as: Page.self).fresh()
    ///
    /// As ``decode(_:as:requestMethods:decoder:)`` without the closure, which runs off the main actor, too; what it
    /// throws is the cause of an error.
    ///
    /// - Parameters:
    ///   - pattern: which resources; see ``configure(_:requestMethods:description:configurer:)``.
    ///   - type: what becomes of the bodies first.
    ///   - requestMethods: the methods whose responses are decoded; nil for get, put, post and patch.
    ///   - decoder: the decoder for this rule; nil for the ``Configuration/jsonDecoder`` that earlier rules have set.
    ///   - transform: makes the content of a decoded body.
    public final func decode<Body: Decodable & Sendable, Content: Sendable>(
        _ pattern: any ConfigurationPatternConvertible, as type: Body.Type, requestMethods: [RequestMethod]? = nil,
        decoder: JSONDecoder? = nil, transform: @escaping @Sendable (Entity<Body>) throws -> Content
    ) {
        configure(
            pattern, requestMethods: requestMethods ?? [.get, .put, .post, .patch],
            description: "\(pattern.configurationPatternDescription): decode \(type)"
        ) { configuration in
            let decoder = decoder ?? configuration.jsonDecoder
            configuration.pipeline[.parsing].keepForErrorsOnly()
            configuration.pipeline[.model].removeTransformers()
            configuration.pipeline[.model].add(
                ResponseContentTransformer { (entity: Entity<Data>) in
                    try transform(entity.withContent(decoder.decode(type, from: entity.content)))
                })
        }
    }
}

extension TypedResource {
    /// The service that the resource belongs to.
    public var service: Service { resource.service }
}
