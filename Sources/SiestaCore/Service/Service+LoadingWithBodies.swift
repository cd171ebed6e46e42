public import Foundation
import JSONCoding

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
    /// Returns the resource at a path whose loads send a JSON object or array.
    ///
    ///     let matches = service.resource("/search", loadedBy: .post, json: ["text": "swift"])
    ///     matches.loadIfNeeded()
    ///
    /// The keys of objects are sorted, so that equal values have the same resource. If JSON cannot represent the value,
    /// all requests of the resource fail with ``RequestError/Cause/InvalidJSONObject``.
    public final func resource(
        _ path: String, loadedBy method: LoadMethod, json: any JSONConvertible
    ) -> Resource {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        guard JSONSerialization.isValidJSONObject(json),
            let data = try? JSONSerialization.data(withJSONObject: json, options: options)
        else { return unencodable(path, RequestError.Cause.InvalidJSONObject()) }
        return resource(path, loadedBy: method, data: data, contentType: "application/json")
    }

    /// Returns the resource at a path whose loads send a value, encoded as JSON with sorted keys.
    ///
    /// If encoding fails, all requests of the resource fail with the encoder's error as their cause.
    ///
    /// - Parameters:
    ///   - path: The path; see ``resource(_:)``.
    ///   - method: The method of the loads.
    ///   - body: The value.
    ///   - encoder: The encoder; nil for the ``Configuration/jsonEncoder`` for GET of the resource at the path. This
    ///     method changes no option of the encoder.
    public final func resource(
        _ path: String, loadedBy method: LoadMethod, body: some Encodable, encoder: JSONEncoder? = nil
    ) -> Resource {
        let configuration = resource(path).configuration
        let encoder = encoder ?? configuration.jsonEncoder
        do {
            let data = try encoder.encodeInOrder(body, usingFoundation: configuration.usesFoundationJSON)
            return resource(path, loadedBy: method, data: data, contentType: "application/json")
        } catch {
            return unencodable(path, error)
        }
    }

    /// Returns the resource at a path whose loads send bytes.
    ///
    /// If the content type is not a valid header value, all requests of the resource fail with
    /// ``RequestError/Code/invalidHeader``.
    public final func resource(
        _ path: String, loadedBy method: LoadMethod, data: Data, contentType: String
    ) -> Resource {
        context.resource(
            resource(path), loadedWith: LoadBody(method: method, data: data, contentType: contentType))
    }

    private func unencodable(_ path: String, _ error: any Error) -> Resource {
        let plain = resource(path)
        guard !plain.isPeculiar else { return plain }
        return Resource(context: context, location: plain.address, peculiarity: .invalidBody(error))
    }
}

extension JSONEncoder {
    /// Encodes a value with sorted keys, and with the other options of this encoder. Another thread may use this encoder at
    /// the same time, unless it is an instance of a subclass.
    fileprivate func encodeInOrder(_ value: some Encodable, usingFoundation: Bool) throws -> Data {
        let isPlain = type(of: self) == JSONEncoder.self
        let encoder = isPlain ? JSONEncoder() : self
        if isPlain {
            encoder.dateEncodingStrategy = dateEncodingStrategy
            encoder.dataEncodingStrategy = dataEncodingStrategy
            encoder.nonConformingFloatEncodingStrategy = nonConformingFloatEncodingStrategy
            encoder.keyEncodingStrategy = keyEncodingStrategy
            encoder.userInfo = userInfo
        }
        let formatting = encoder.outputFormatting
        defer { encoder.outputFormatting = formatting }
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try JSONCoding.encode(value, with: encoder, usingFoundation: usingFoundation)
    }
}

extension Service {
    /// Returns the resource at a path whose loads send a JSON object or array, as a resource with content of type
    /// `type`; see ``resource(_:loadedBy:json:)``.
    public final func resource<Content: Sendable>(
        _ path: String, as type: Content.Type, loadedBy method: LoadMethod, json: any JSONConvertible
    ) -> TypedResource<Content> {
        resource(path, loadedBy: method, json: json).typed()
    }

    /// Returns the resource at a path whose loads send a value, encoded as JSON with sorted keys, as a resource with
    /// content of type `type`; see ``resource(_:loadedBy:body:encoder:)``.
    public final func resource<Content: Sendable>(
        _ path: String, as type: Content.Type, loadedBy method: LoadMethod, body: some Encodable,
        encoder: JSONEncoder? = nil
    ) -> TypedResource<Content> {
        resource(path, loadedBy: method, body: body, encoder: encoder).typed()
    }

    /// Returns the resource at a path whose loads send bytes, as a resource with content of type `type`; see
    /// ``resource(_:loadedBy:data:contentType:)``.
    public final func resource<Content: Sendable>(
        _ path: String, as type: Content.Type, loadedBy method: LoadMethod, data: Data, contentType: String
    ) -> TypedResource<Content> {
        resource(path, loadedBy: method, data: data, contentType: contentType).typed()
    }
}
