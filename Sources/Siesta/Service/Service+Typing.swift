public import Foundation

extension Service {
    /// Returns the resource at ``baseURL`` with `path` appended, as a resource with content of type `type`; see
    /// ``TypedResource``.
    public final func resource<Content: Sendable>(_ path: String, as type: Content.Type) -> TypedResource<Content> {
        resource(path).typed()
    }

    /// Returns the resource at the URL that a template (RFC 6570) and variables produce, as a resource with content of
    /// type `type`; see ``resource(template:_:)``.
    public final func resource<Content: Sendable>(
        template: String, _ variables: [String: any URITemplateVariable] = [:], as type: Content.Type
    ) -> TypedResource<Content> {
        resource(template: template, variables).typed()
    }

    /// Decodes JSON into values of type `Content` for the resources that match `pattern`.
    ///
    ///     service.decode("/users/*", as: User.self)
    ///     let user = try await service.resource("/users/42", as: User.self).fresh()
    ///
    /// The decoder runs off the main actor and replaces the transformers of the pipeline's `.model` stage. After this
    /// call, transformers of the `.parsing` stage, such as the standard JSON transformer, process only the bodies of
    /// errors. If decoding fails, the response is an error whose cause is the `DecodingError`.
    ///
    /// By default, the rule applies only to GET requests, and thus to all loads. The response to a change, such as a
    /// PATCH, often has another form than the resource: it may be a part, a status, or empty. To decode the response to
    /// one request, call ``Request/decoded(as:decoder:)``. To decode all responses to further methods, name the methods.
    ///
    /// - Parameters:
    ///   - pattern: The resources; see ``configure(_:requestMethods:description:configurer:)``.
    ///   - type: The type of the decoded content.
    ///   - requestMethods: The methods whose responses are decoded; nil for GET only.
    ///   - decoder: The decoder for this rule; nil for the ``Configuration/jsonDecoder`` that earlier rules have set.
    ///     Do not change the decoder afterwards.
    public final func decode<Content: Decodable & Sendable>(
        _ pattern: any ConfigurationPatternConvertible, as type: Content.Type, requestMethods: [RequestMethod]? = nil,
        decoder: JSONDecoder? = nil
    ) {
        decode(pattern, as: type, requestMethods: requestMethods, decoder: decoder) { $0.content }
    }

    /// Decodes JSON into values of type `Body` for the resources that match `pattern`, and computes the content from
    /// these values and the headers.
    ///
    ///     service.decode("/users", as: [User].self) { Page(users: $0.content, next: $0.header(forKey: "Link")) }
    ///     let page = try await service.resource("/users", as: Page.self).fresh()
    ///
    /// Decodes in the same way as ``decode(_:as:requestMethods:decoder:)``, and then calls `transform`, also off the
    /// main actor. An error that `transform` throws is the cause of the request's error.
    ///
    /// - Parameters:
    ///   - pattern: The resources; see ``configure(_:requestMethods:description:configurer:)``.
    ///   - type: The type of the decoded bodies.
    ///   - requestMethods: The methods whose responses are decoded; nil for GET only.
    ///   - decoder: The decoder for this rule; nil for the ``Configuration/jsonDecoder`` that earlier rules have set.
    ///   - transform: Computes the content from a decoded body and the headers of its entity.
    public final func decode<Body: Decodable & Sendable, Content: Sendable>(
        _ pattern: any ConfigurationPatternConvertible, as type: Body.Type, requestMethods: [RequestMethod]? = nil,
        decoder: JSONDecoder? = nil, transform: @escaping @Sendable (Entity<Body>) throws -> Content
    ) {
        configure(
            pattern, requestMethods: requestMethods ?? [.get],
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
