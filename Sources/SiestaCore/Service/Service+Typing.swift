public import Foundation
import JSONCoding

extension Service {
    /// Returns the typed resource at ``baseURL`` with `path` appended. Its content is of type `type`; see
    /// ``TypedResource``.
    public final func resource<Content: Sendable>(_ path: String, as type: Content.Type) -> TypedResource<Content> {
        resource(path).typed()
    }

    /// Returns the typed resource at the URL that a template (RFC 6570) and variables produce. Its content is of type
    /// `type`; see ``resource(template:_:)``.
    public final func resource<Content: Sendable>(
        template: String, _ variables: [String: any URITemplateVariable] = [:], as type: Content.Type
    ) -> TypedResource<Content> {
        resource(template: template, variables).typed()
    }

    /// Adds a rule that decodes JSON into values of type `Content` for the resources that match `pattern`.
    ///
    ///     service.decode("/users/*", as: User.self)
    ///     let user = try await service.resource("/users/42", as: User.self).get()
    ///
    /// For these resources, the decoder replaces the transformers of the pipeline's `.model` stage. Transformers of the
    /// `.parsing` stage, such as the standard JSON transformer, then process only the bodies of errors. If decoding
    /// fails, the request fails with an error whose cause is the `DecodingError`.
    ///
    /// By default, the decoder runs off the main actor. If the type's conformance to `Decodable` is isolated to the
    /// main actor, the decoder runs on the main actor. In a module whose default isolation is `MainActor`, all types
    /// have such conformances. To decode a type off the main actor, declare it `nonisolated`:
    ///
    ///     nonisolated struct Team: Codable, Sendable {
    ///         var name: String
    ///     }
    ///
    /// By default, the rule applies only to GET requests and to loads. It does not apply to a load if a request with
    /// another method was passed to `load(using:)`. The response to a change, such as a PATCH, often has a different
    /// structure: it may be empty, or contain only a part of the resource. To decode the response to one request, call
    /// ``FinishedResponse/decoded(as:decoder:)``. To decode the responses to other methods, pass `requestMethods`.
    ///
    /// - Parameters:
    ///   - pattern: The pattern that selects the resources; see
    ///     ``configure(_:requestMethods:description:configurer:)``.
    ///   - type: The type of the decoded content.
    ///   - requestMethods: The methods whose responses are decoded; nil for GET only.
    ///   - decoder: The decoder for this rule; nil for the ``Configuration/jsonDecoder`` that earlier rules have set.
    ///     Do not change the decoder afterwards.
    public final func decode<Content: Decodable>(
        _ pattern: any ConfigurationPatternConvertible, as type: Content.Type, requestMethods: [RequestMethod]? = nil,
        decoder: JSONDecoder? = nil
    ) {
        addDecoding(pattern, type, requestMethods, decoder) { $0.content }
    }

    /// Adds a rule that decodes JSON into values of type `Body` for the resources that match `pattern`, and computes
    /// the content from these values and the headers.
    ///
    ///     service.decode("/users", as: [User].self) { Page(users: $0.content, next: $0.header(forKey: "Link")) }
    ///     let page = try await service.resource("/users", as: Page.self).get()
    ///
    /// The rule decodes in the same way as ``decode(_:as:requestMethods:decoder:)``, and then calls `transform` on the
    /// same thread. If `transform` throws an error, the request fails with an error whose cause is the thrown error.
    ///
    /// `transform` is not isolated to the main actor. In a module whose default isolation is `MainActor`, the compiler
    /// therefore reports an error if `transform` calls a function or an initializer of the module. To fix the error,
    /// declare the function, or the type that is initialized, `nonisolated`.
    ///
    /// - Parameters:
    ///   - pattern: The pattern that selects the resources; see
    ///     ``configure(_:requestMethods:description:configurer:)``.
    ///   - type: The type of the decoded bodies.
    ///   - requestMethods: The methods whose responses are decoded; nil for GET only.
    ///   - decoder: The decoder for this rule; nil for the ``Configuration/jsonDecoder`` that earlier rules have set.
    ///   - transform: A closure that computes the content from a decoded body and the headers of its entity.
    public final func decode<Body: Decodable, Content>(
        _ pattern: any ConfigurationPatternConvertible, as type: Body.Type, requestMethods: [RequestMethod]? = nil,
        decoder: JSONDecoder? = nil, transform: @escaping @Sendable (Entity<Body>) throws -> Content
    ) {
        addDecoding(pattern, type, requestMethods, decoder, transform)
    }

    private func addDecoding<Body: Decodable, Content>(
        _ pattern: any ConfigurationPatternConvertible, _ type: Body.Type, _ requestMethods: [RequestMethod]?,
        _ decoder: JSONDecoder?, _ transform: @escaping (Entity<Body>) throws -> Content
    ) {
        addDecoding(pattern, type, ["application/json"], requestMethods, transform) { configuration, transformer in
            let decoder = decoder ?? configuration.jsonDecoder
            return JSONTransformer { usesFoundation in
                transformer {
                    try JSONCoding.decode(type, from: $0.json, with: decoder, usingFoundation: usesFoundation)
                }
            }
        }
    }

    /// Adds a rule that decodes bodies in some format. `bodyTransformer` returns the transformer for a configuration; it
    /// makes it from a function that decodes bodies, and that runs on the same thread as `transform`. `contentTypes` are
    /// the types of the format, for content negotiation.
    package final func addDecoding<Body: Decodable, Content>(
        _ pattern: any ConfigurationPatternConvertible, _ type: Body.Type, _ contentTypes: [String],
        _ requestMethods: [RequestMethod]?, _ transform: @escaping (Entity<Body>) throws -> Content,
        bodyTransformer:
            @escaping (
                Configuration, (@escaping (Entity<Data>) throws -> Body) -> any ResponseTransformer
            ) -> any ResponseTransformer
    ) {
        let isolation = ConformanceIsolation(type)
        configure(
            pattern, requestMethods: requestMethods ?? [.get],
            description: "\(pattern.configurationPatternDescription): decode \(type)"
        ) { configuration in
            let transformer = bodyTransformer(configuration) { decode in
                // The conformance of `Body` goes to other threads, but is used only where `isolation` allows it. The closure is
                // not an argument, because it would check then that it runs on the main actor.
                let convert: (Entity<Data>) throws -> Content = { try transform($0.withContent(decode($0))) }
                let anywhere = UncheckedSendable(convert)
                return ResponseContentTransformer { entity in try isolation.perform { try anywhere.value(entity) } }
            }
            configuration.pipeline[.parsing].keepForErrorsOnly()
            configuration.pipeline[.model].removeTransformers()
            configuration.pipeline[.model].add(transformer)
            configuration.pipeline[.model].decodedTypes = contentTypes
        }
    }
}

extension TypedResource {
    /// The service that the resource belongs to.
    public var service: Service { resource.service }
}
