import Foundation
public import SiestaCore

extension Service {
    /// Decodes XML into values of type `Content` for the resources that match `pattern`.
    ///
    ///     service.decodeXML("/feed", as: Feed.self)
    ///     let feed = try await service.resource("/feed", as: Feed.self).get()
    ///
    /// This function works in the same way as `decode(_:as:requestMethods:decoder:)` does for JSON. The response is
    /// decoded regardless of its content type.
    ///
    /// - Parameters:
    ///   - pattern: The pattern of the resources whose responses are decoded.
    ///   - type: The type of the decoded content.
    ///   - requestMethods: The methods whose responses are decoded; nil for GET only.
    ///   - decoder: The decoder for these responses.
    public final func decodeXML<Content: Decodable>(
        _ pattern: any ConfigurationPatternConvertible, as type: Content.Type, requestMethods: [RequestMethod]? = nil,
        decoder: XMLTreeDecoder = XMLTreeDecoder()
    ) {
        addXMLDecoding(pattern, type, requestMethods, decoder) { $0.content }
    }

    /// Decodes XML into values of type `Body` for the resources that match `pattern`, and computes the content from
    /// these values and the response headers.
    ///
    ///     service.decodeXML("/feed", as: Feed.self) { $0.content.items }
    ///
    /// This function decodes in the same way as ``decodeXML(_:as:requestMethods:decoder:)``. It then calls `transform`
    /// on the same thread. If `transform` throws an error, this error is the cause of the request's error.
    ///
    /// - Parameters:
    ///   - pattern: The pattern of the resources whose responses are decoded.
    ///   - type: The type of the decoded bodies.
    ///   - requestMethods: The methods whose responses are decoded; nil for GET only.
    ///   - decoder: The decoder for these responses.
    ///   - transform: A closure that computes the content from a decoded body and the headers of its entity.
    public final func decodeXML<Body: Decodable, Content>(
        _ pattern: any ConfigurationPatternConvertible, as type: Body.Type, requestMethods: [RequestMethod]? = nil,
        decoder: XMLTreeDecoder = XMLTreeDecoder(), transform: @escaping @Sendable (Entity<Body>) throws -> Content
    ) {
        addXMLDecoding(pattern, type, requestMethods, decoder, transform)
    }

    private func addXMLDecoding<Body: Decodable, Content>(
        _ pattern: any ConfigurationPatternConvertible, _ type: Body.Type, _ requestMethods: [RequestMethod]?,
        _ decoder: XMLTreeDecoder, _ transform: @escaping (Entity<Body>) throws -> Content
    ) {
        addDecoding(pattern, type, ["application/xml", "text/xml"], requestMethods, transform) { _, transformer in
            transformer { try decoder.decode(type, from: $0.content, charset: $0.charset) }
        }
    }
}
