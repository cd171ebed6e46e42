public import Foundation
import HTTPRules
import JSONCoding
import SiestaNetworking

#if canImport(FoundationNetworking)
package import FoundationNetworking
#endif

/// The body of a request, and its content type.
///
///     let creation = users.request(.post, body: .encoded(ada))
///     let upload = portrait.request(.put, body: .file(photoURL, contentType: "image/jpeg"))
///     let search = words.request(.post, body: .form(["text": "swift"]))
///
/// Functions that take a `RequestBody` encode its value before they return. If the value cannot be encoded, or if the
/// content type is not a valid header value (``RequestError/Code/invalidHeader``), the request fails, and nothing is
/// sent.
@MainActor
public struct RequestBody: Sendable {
    /// A body whose values are encoded.
    package struct Encoded {
        /// The place from which the bytes come.
        package enum Source {
            case data(Data)
            case file(URL)
            /// Opens a body that is read while it is sent.
            case stream(NetworkRequest.BodyMaker)
        }

        package let source: Source
        package let contentType: String?

        package init(_ source: Source, contentType: String?) {
            (self.source, self.contentType) = (source, contentType)
        }

        /// The bytes; nil if they are not in memory.
        package var data: Data? {
            if case .data(let data) = source { data } else { nil }
        }

        /// The file that contains the bytes; nil for another source.
        package var file: URL? {
            if case .file(let file) = source { file } else { nil }
        }

        /// Opens the body if its bytes are not in memory.
        package var maker: NetworkRequest.BodyMaker? {
            switch source {
            case .data: nil
            case .file(let file): { SegmentedBody(segments: [try .file(file)]) }
            case .stream(let maker): maker
            }
        }

        package func add(to request: inout URLRequest) {
            if let contentType { request.setValue(contentType, forHTTPHeaderField: "Content-Type") }
            if let data { request.httpBody = data }
        }
    }

    /// The request that the body is for.
    package struct Destination {
        package let resource: Resource
        package let method: RequestMethod
        /// True if the body is a part of the identity of the resource. Equal values must then have equal bytes.
        var isIdentity = false

        @MainActor fileprivate var configuration: Configuration { resource.configuration(for: method) }

        /// The encoder of the resource and the method.
        @MainActor package var encoding: ConfiguredEncoder { configuration.encoding }
    }

    private let make: @MainActor (Destination) throws -> Encoded

    package init(_ make: @escaping @MainActor (Destination) throws -> Encoded) {
        self.make = make
    }

    /// Returns the body of a request to `resource`.
    package func encoded(for resource: Resource, _ method: RequestMethod) throws -> Encoded {
        try encoded(for: Destination(resource: resource, method: method))
    }

    func encoded(for destination: Destination) throws -> Encoded {
        let encoded = try make(destination)
        guard encoded.contentType.map(HeaderSyntax.isValue) ?? true else {
            throw RequestError.Failure.invalidHeader("Content-Type")
        }
        return encoded
    }

    /// A body with the given bytes.
    public static func data(_ data: Data, contentType: String = "application/octet-stream") -> RequestBody {
        RequestBody { _ in Encoded(.data(data), contentType: contentType) }
    }

    /// A body with text. The library appends `; charset=` and the name of the encoding to the content type.
    ///
    /// If the encoding cannot represent the text, the request fails with the cause
    /// ``RequestError/Cause/UnencodableText``.
    public static func text(
        _ text: String, contentType: String = "text/plain", encoding: String.Encoding = .utf8
    ) -> RequestBody {
        RequestBody { _ in
            guard let data = text.data(using: encoding), let charset = Charset.ianaName(of: encoding) else {
                throw RequestError.Cause.UnencodableText(encoding: encoding, text: text)
            }
            return Encoded(.data(data), contentType: "\(contentType); charset=\(charset)")
        }
    }

    /// A body with a JSON object or array, such as `["name": "Ada"]`.
    ///
    /// If JSON cannot represent the value, the request fails with the cause ``RequestError/Cause/InvalidJSONObject``.
    public static func json(_ json: any JSONConvertible, contentType: String = "application/json") -> RequestBody {
        RequestBody { destination in
            guard let data = data(of: json, for: destination) else { throw RequestError.Cause.InvalidJSONObject() }
            return Encoded(.data(data), contentType: contentType)
        }
    }

    private static func data(of json: any JSONConvertible, for destination: Destination) -> Data? {
        guard destination.isIdentity else {
            let usesFoundation = destination.configuration.usesFoundationJSON
            return (try? JSONCoding.data(withJSONObject: json, usingFoundation: usesFoundation)) ?? nil
        }
        guard JSONSerialization.isValidJSONObject(json) else { return nil }
        return try? JSONSerialization.data(withJSONObject: json, options: [.sortedKeys, .withoutEscapingSlashes])
    }

    /// A body with a value that is encoded as JSON (`application/json`).
    ///
    /// If the value cannot be encoded, the request fails with the encoder's error as its cause.
    ///
    /// - Parameters:
    ///   - value: The value to encode.
    ///   - encoder: The encoder to use. If nil (the default), the ``Configuration/jsonEncoder`` for the resource and
    ///     the method is used.
    public static func encoded(_ value: some Encodable, encoder: JSONEncoder? = nil) -> RequestBody {
        RequestBody { destination in
            let configuration = destination.configuration
            let data =
                destination.isIdentity
                ? try (encoder ?? configuration.jsonEncoder)
                    .encodeInOrder(value, usingFoundation: configuration.usesFoundationJSON)
                : try configuration.encoding.replaced(by: encoder).encode(value)
            return Encoded(.data(data), contentType: "application/json")
        }
    }

    /// A body with form parameters (`application/x-www-form-urlencoded`), in alphabetical order.
    ///
    /// All characters except the unreserved characters (RFC 3986 §2.3) are escaped. If a name or a value contains an
    /// unpaired surrogate, the request fails with the cause ``RequestError/Cause/NotURLEncodable``.
    public static func form(_ parameters: [String: String]) -> RequestBody {
        RequestBody { _ in
            if let malformed = parameters.flatMap({ [$0.key, $0.value] }).first(where: { !$0.isWellFormed }) {
                throw RequestError.Cause.NotURLEncodable(offendingString: malformed)
            }
            let pairs = parameters.map { name, value in
                PercentEncoding.escapeFormItem(name) + "=" + PercentEncoding.escapeFormItem(value)
            }
            let text = pairs.sorted().joined(separator: "&")
            return Encoded(.data(Data(text.utf8)), contentType: "application/x-www-form-urlencoded")
        }
    }

    /// A body with the content of a file. The library reads the file while it sends the body.
    ///
    /// If the file is missing, the request fails with ``RequestError/Code/unreadableBody``.
    ///
    /// With libcurl, the library sends only the bytes that the file contains when the request starts. If the file grows
    /// afterwards, the additional bytes are ignored. If the file becomes shorter, or is modified without growing, the
    /// request fails with ``RequestError/Code/unreadableBody``. With `URLSession`, the library does not detect changes
    /// to the file.
    public static func file(_ file: URL, contentType: String = "application/octet-stream") -> RequestBody {
        RequestBody { _ in Encoded(.file(file), contentType: contentType) }
    }
}

extension String {
    /// True if the text can be encoded in UTF-8. A string from Objective-C may contain unpaired surrogates, which UTF-8
    /// cannot represent.
    fileprivate var isWellFormed: Bool {
        #if canImport(ObjectiveC)
        data(using: .utf8) != nil
        #else
        true
        #endif
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
