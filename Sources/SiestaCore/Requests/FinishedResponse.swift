public import Foundation

/// The successful response to a request: its status, headers, body and content. Any task may use this value.
///
/// ``Request/value`` returns a `FinishedResponse`. Because this type is `Sendable`, tasks that do not run on the main
/// actor can receive it, for example the child tasks of a task group. If the status is 400 or more, ``Request/value``
/// throws a ``RequestError`` instead.
///
/// If the ``content`` is an instance of a class, do not mutate it.
public struct FinishedResponse: Sendable {
    private let carriedEntity: UncheckedSendable<Entity<Any>>
    private let body: ReceivedBody?

    /// The status code, from 200 to 399; nil if the response has no status.
    ///
    /// A status of 300 or more means that a redirect was not followed, except 304, which means that the server
    /// confirmed the data of the resource. The status is nil, for example, for a load that found fresh data in a cache,
    /// for a download, and for a custom request (``Resource/prepareRequest(using:)``).
    public let status: Int?

    package init(_ entity: Entity<Any>, _ info: ResponseInfo) {
        carriedEntity = UncheckedSendable(entity)
        body = info.body
        if info.status != 0 {
            status = Int(info.status)
        } else {
            status = !info.isNew && info.isConfirmedByServer ? 304 : nil
        }
    }

    /// The body of the response, as bytes; empty if the response has no body.
    ///
    /// A load does not keep the body of its response. All other requests do, including a request that was passed to
    /// ``Resource/load(using:)``. The body stays in memory as long as the request exists.
    ///
    /// After a load, or if no server has responded, no body is available. In this case, the value is the ``content`` if
    /// the pipeline has produced `Data`, and nil otherwise.
    public var data: Data? { body?.data ?? content as? Data }

    /// The content that the pipeline has produced from the body.
    public var content: Any { carriedEntity.value.content }

    /// All headers, with their names in lower case.
    public var headers: [String: String] { carriedEntity.value.headers }

    /// Returns the value of the header `key`; nil if there is no such header. Header names are case-insensitive.
    public func header(forKey key: String) -> String? { carriedEntity.value.header(forKey: key) }

    /// Returns ``content`` as a value of type `Content`.
    ///
    /// If the type is `Void`, every response is accepted except a redirect that was not followed.
    ///
    /// - Throws: An error that names the expected and the actual type, with the code
    ///   ``RequestError/Code/wrongContentType``, if the content is not of type `Content`. An error with the code
    ///   ``RequestError/Code/redirectNotFollowed`` if the type is `Void` and the response is a redirect that was not
    ///   followed.
    public func content<Content: Sendable>(as type: Content.Type = Content.self) throws(RequestError) -> Content {
        if let content = content as? Content { return content }
        if type == Void.self, let redirectError { throw redirectError }
        guard let content = carriedEntity.value.cast(to: type) else { throw mismatch(type, remedy: nil) }
        return content
    }

    /// Returns the response as a value of type `Content`.
    ///
    /// If the pipeline has produced a value of type `Content`, returns this value. Otherwise decodes JSON: from the
    /// ``content`` if the pipeline has produced `Data`, and from ``data`` in all other cases. ``data`` contains the
    /// bytes as they were received: a transformer that changes bytes, for example by decryption, has no effect on them.
    ///
    /// Decodes off the main actor, unless the conformance of `Content` to `Decodable` is isolated to the main actor. In
    /// a module whose default isolation is `MainActor`, all conformances are isolated to the main actor, except those
    /// of `nonisolated` types.
    ///
    /// - Parameters:
    ///   - type: The type of the result.
    ///   - decoder: The decoder for the JSON; nil for the ``Configuration/jsonDecoder`` of the request. For a load and
    ///     for a custom request (``Resource/prepareRequest(using:)``), nil selects a new `JSONDecoder`.
    /// - Throws: An error whose cause is the `DecodingError` if decoding fails. An error that names a remedy, with the
    ///   code ``RequestError/Code/wrongContentType``, if there are no bytes to decode. An error with the code
    ///   ``RequestError/Code/redirectNotFollowed`` if the response is a redirect that was not followed.
    public func decoded<Content: Decodable>(
        as type: Content.Type = Content.self, decoder: JSONDecoder? = nil
    ) async throws(RequestError) -> Content {
        if let content: Result<Content, RequestError> = await decodedInBackground(with: decoder) {
            return try content.get()
        }
        return try decodedHere(as: type, with: decoder)
    }

    /// Returns the response as a value of type `Content`. Decodes on the calling thread.
    func decodedHere<Content: Decodable>(
        as type: Content.Type, with decoder: JSONDecoder?
    ) throws(RequestError) -> Content {
        if let redirectError { throw redirectError }
        if let content = content as? Content { return content }
        return try decode(type, with: decoder)
    }

    /// Decodes the bytes that the pipeline has made of the body, or the body.
    func decode<Content: Decodable>(_ type: Content.Type, with decoder: JSONDecoder?) throws(RequestError) -> Content {
        guard let data = content as? Data ?? data else { throw mismatch(type, remedy: Self.remedyForLoads(type)) }
        guard !data.isEmpty else { throw mismatch(type, remedy: Self.remedyForEmptyBodies) }
        do {
            let json = carriedEntity.value.withContent(data).json
            return try (body?.decoder ?? ConfiguredDecoder()).replaced(by: decoder).decode(type, json)
        } catch {
            throw failure {
                RequestError(
                    userMessage: UserMessages.current.cannotParseResponse, cause: error, entity: carriedEntity.value)
            }
        }
    }

    /// Returns the error for content that is not of the type `type`.
    func mismatch(_ type: Any.Type, remedy: String?) -> RequestError {
        failure { carriedEntity.value.mismatch(type, remedy: remedy) }
    }

    private static func remedyForLoads(_ type: Any.Type) -> String {
        "a load keeps no body to decode: add Service.decode(_:as:) or another transformer to \(type) for this URL"
    }

    private static let remedyForEmptyBodies =
        "the response has no body: use content(as: Void.self) if the body may be missing"

    private var redirectError: RequestError? {
        guard let status, (300...399).contains(status), status != 304 else { return nil }
        let entity = carriedEntity.value
        return failure {
            RequestError(
                statusCode: status, headerFields: entity.headerFields, content: entity.content,
                cause: RequestError.Failure.redirectNotFollowed(status))
        }
    }

    private func failure(_ make: () -> RequestError) -> RequestError {
        body?.error(make) ?? make()
    }
}

extension FinishedResponse: TypedContentAccessors {
    /// The entity that consists of the ``content`` and the ``headers``.
    public var entityForTypedContentAccessors: Entity<Any>? { carriedEntity.value }
}

extension FinishedResponse: CustomStringConvertible {
    /// A string with the status, the type of the content, and the MIME type, but without the content and the headers.
    public var description: String {
        PreparedText.line("\(status.map { "HTTP \($0)" } ?? "no status"): \(carriedEntity.value)")
    }
}
