public import Foundation
public import SiestaCore

/// The JSON values of a response; see ``ResponseBytes/jsonValues(as:format:decoder:limit:skippingInvalidValues:)``.
struct ResponseValues<Value: Decodable & Sendable>: AsyncSequence, Sendable {
    /// A decoded value.
    typealias Element = Value

    /// The type of all errors.
    typealias Failure = RequestError

    let bytes: ResponseBytes
    let format: JSONStreamFormat
    let decoder: JSONDecoder?
    let limit: Int
    let skipsInvalidValues: Bool

    /// Creates the iterator of a new iteration. The iterator sends the request when it is asked for the first value.
    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

    /// The iterator of one loop over the values.
    struct AsyncIterator: AsyncIteratorProtocol {
        private let values: ResponseValues
        private var bytes: ResponseBytes.AsyncIterator?
        private var splitter: JSONTextSplitter?
        private var decoder: ConfiguredDecoder?
        private var batch = JSONBatch<Value>()
        private var permit: DeliveryPermit

        init(_ values: ResponseValues) {
            self.values = values
            bytes = values.bytes.makeAsyncIterator()
            permit = DeliveryPermit(values.bytes.resource)
        }

        /// Waits for the next value. Returns nil at the end of the response, and after an error was thrown.
        mutating func next() async throws(RequestError) -> Value? {
            while true {
                if bytes != nil || !batch.values.isEmpty { try await check() }
                if let value = batch.values.popFirst() { return value }
                if let failure = batch.failure.take() {
                    bytes = nil
                    throw failure
                }
                // If this throws, nothing follows, because the rest of the response is incomplete.
                guard var bytes = self.bytes.take() else { return nil }
                let piece = try await bytes.next()
                if piece != nil { self.bytes = bytes }
                let texts = split(piece, bytes.response.head)
                if !texts.isEmpty { batch = await decode(texts) }
            }
        }

        /// Drops the values that have arrived if they must not be delivered any more.
        private mutating func check() async throws(RequestError) {
            do throws(RequestError) { try await permit.check() } catch {
                (bytes, batch) = (nil, JSONBatch())
                throw error
            }
        }

        /// Waits for the next value. Returns nil at the end of the response, and after an error was thrown.
        mutating func next(isolation: isolated (any Actor)?) async throws(RequestError) -> Value? {
            try await next()
        }

        private mutating func split(_ piece: Data?, _ head: NetworkResponse.Head?) -> [JSONTextSplitter.Text] {
            let format = values.format
            if splitter == nil {
                splitter = JSONTextSplitter(format.resolved(head?.fields.contentType), limit: values.limit)
            }
            guard let piece else { return (splitter?.finish()).map { [$0] } ?? [] }
            return splitter?.add(piece) ?? []
        }

        private mutating func decode(_ texts: [JSONTextSplitter.Text]) async -> JSONBatch<Value> {
            if let decoder { return await values.decode(texts, with: decoder) }
            let decoder = await values.configuredDecoder
            self.decoder = decoder
            return await values.decode(texts, with: decoder)
        }
    }
}

/// Not `Sendable`: an iteration belongs to one task.
@available(*, unavailable)
extension ResponseValues.AsyncIterator: Sendable {}

/// The values of one piece, and the error that ends the sequence after them.
private struct JSONBatch<Value: Sendable>: Sendable {
    var values: ArraySlice<Value> = []
    var failure: RequestError?
}

extension ResponseValues {
    /// The decoder of the sequence, or that of the resource's configuration.
    @MainActor fileprivate var configuredDecoder: ConfiguredDecoder {
        bytes.resource.configuration(for: bytes.method).decoding.replaced(by: decoder)
    }

    @concurrent
    fileprivate func decode(_ texts: [JSONTextSplitter.Text], with decoder: ConfiguredDecoder) async -> JSONBatch<Value>
    {
        var batch = JSONBatch<Value>()
        for text in texts {
            do {
                batch.values.append(try decoder.decode(Value.self, text.content.get()))
            } catch {
                if skipsInvalidValues { continue }
                batch.failure = await bytes.failure(
                    RequestError.Failure(error, value: text.number, limit: limit))
                return batch
            }
        }
        return batch
    }
}

extension RequestError.Failure {
    /// A value that cannot be read. `number` begins with 1; 0 stands for content before the first record separator.
    fileprivate init(_ error: any Error, value number: Int, limit: Int) {
        let value = "value \(number)"
        switch error as? JSONTextSplitter.Defect {
        case .tooLong: self = .contentTooLong(limit, raise: "the limit of jsonValues, for \(value)")
        case .truncated: self.init(.invalidContent, reason: "\(value) may be truncated: no white space follows it")
        case .missingSeparator:
            self.init(.invalidContent, reason: "\(value) has no record separator before it; check the format")
        case nil: self.init(.invalidContent, reason: value, underlyingError: error)
        }
    }
}

extension ResponseBytes {
    /// Returns the error for content that cannot be read.
    @MainActor func failure(_ cause: any Error) -> RequestError {
        var error = resource.context.clock.whileCurrent {
            RequestError(userMessage: UserMessages.current.cannotParseResponse, cause: cause)
        }
        error.setRequest(resource.url, method: method.rawValue.uppercased())
        return error
    }

    /// Returns an asynchronous sequence of the JSON values of a response, delivered as they arrive:
    ///
    ///     for try await event in resource.jsonValues(as: Event.self) { print(event.name) }
    ///
    /// The response must contain one value in each line (NDJSON), or be a JSON text sequence (RFC 7464); see
    /// ``JSONStreamFormat``. In all other respects, this sequence works in the same way as ``ResponseBytes``: each
    /// iteration sends its own request, and a slow consumer makes the server wait.
    ///
    /// The values of each received piece are decoded together, off the caller's actor. The sequence needs memory for
    /// the buffered bytes, for the JSON of one value, and for the values of one received piece.
    ///
    /// If a value cannot be decoded, the sequence delivers the earlier values, fails with the code
    /// ``RequestError/Code/invalidContent``, and closes the connection. The error contains the number of the line or,
    /// in a text sequence, of the value. A loop cannot continue after an error. To continue with the next value, pass
    /// `skippingInvalidValues: true`.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - format: The format of the response. The default is ``JSONStreamFormat/automatic``: the content type decides.
    ///   - decoder: The decoder for the values; nil for the ``Configuration/jsonDecoder`` of the resource.
    ///   - limit: The maximum length of the JSON of one value, in bytes. The default is 1 MB.
    ///   - skippingInvalidValues: True to ignore values that cannot be decoded, are truncated or are too long. RFC 7464
    ///     §2.3 recommends continuing with the next value. The default is false: the iteration fails at such a value.
    public func jsonValues<Value: Decodable & Sendable>(
        as type: Value.Type, format: JSONStreamFormat = .automatic, decoder: JSONDecoder? = nil,
        limit: Int = 1 << 20, skippingInvalidValues: Bool = false
    ) -> some AsyncSequence<Value, RequestError> & Sendable {
        ResponseValues<Value>(
            bytes: self, format: format, decoder: decoder, limit: limit, skipsInvalidValues: skippingInvalidValues)
    }
}

extension Resource {
    /// Returns the JSON values of the response to a GET request, delivered as they arrive; see
    /// ``ResponseBytes/jsonValues(as:format:decoder:limit:skippingInvalidValues:)``.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - format: The format of the response. The default is ``JSONStreamFormat/automatic``: the content type decides.
    ///   - decoder: The decoder for the values; nil for the ``Configuration/jsonDecoder`` of the resource.
    public nonisolated func jsonValues<Value: Decodable & Sendable>(
        as type: Value.Type, format: JSONStreamFormat = .automatic, decoder: JSONDecoder? = nil
    ) -> some AsyncSequence<Value, RequestError> & Sendable {
        bytes.jsonValues(as: type, format: format, decoder: decoder)
    }
}
