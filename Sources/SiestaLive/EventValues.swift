public import Foundation
import HTTPRules
public import SiestaCore

/// The JSON values in the data of a stream's events, as an asynchronous sequence; see
/// ``EventStream/values(of:type:endingWith:decoder:)``.
struct EventValues<Value: Decodable & Sendable>: AsyncSequence, Sendable {
    /// A decoded value.
    typealias Element = Value

    /// The type of all errors.
    typealias Failure = RequestError

    let stream: EventStream
    let type: String?
    let end: String?
    let decoder: JSONDecoder?

    /// Creates the iterator of a new iteration.
    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

    /// The iterator of one loop over the values.
    struct AsyncIterator: AsyncIteratorProtocol {
        private let values: EventValues
        private var events: EventStream.AsyncIterator?
        private var decoder: ConfiguredDecoder?
        private var number = 0
        private var permit: DeliveryPermit

        init(_ values: EventValues) {
            self.values = values
            events = values.stream.makeAsyncIterator()
            permit = DeliveryPermit(values.stream.request.resource)
        }

        /// Waits for the next value. Returns nil at the end of the stream, and after an error was thrown.
        mutating func next() async throws(RequestError) -> Value? {
            if events != nil { try await check() }
            while let event = try await events?.next() {
                guard values.includes(event) else { continue }
                guard !values.isEnd(event) else { break }
                number += 1
                let decoder = await configuredDecoder()
                let value: Value
                do {
                    value = try await values.decode(event, with: decoder)
                } catch {
                    events = nil
                    throw await values.failure(number, error)
                }
                try await check()
                return value
            }
            events = nil
            return nil
        }

        /// Waits for the next value. Returns nil at the end of the stream, and after an error was thrown.
        mutating func next(isolation: isolated (any Actor)?) async throws(RequestError) -> Value? {
            try await next()
        }

        /// Ends the iteration if what has arrived must not be delivered any more.
        private mutating func check() async throws(RequestError) {
            do throws(RequestError) { try await permit.check() } catch {
                events = nil
                throw error
            }
        }

        private mutating func configuredDecoder() async -> ConfiguredDecoder {
            if let decoder { return decoder }
            let new = await values.configuredDecoder
            decoder = new
            return new
        }
    }
}

/// Not `Sendable`: an iteration belongs to one task.
@available(*, unavailable)
extension EventValues.AsyncIterator: Sendable {}

extension EventValues {
    // The server chooses the texts: comparing them as strings may take very long.

    func includes(_ event: ServerEvent) -> Bool { type.map { event.type.hasSameBytes(as: $0) } ?? true }

    func isEnd(_ event: ServerEvent) -> Bool { end.map { event.data.hasSameBytes(as: $0) } ?? false }

    @MainActor fileprivate var configuredDecoder: ConfiguredDecoder {
        stream.request.resource.configuration(for: stream.request.method).decoding.replaced(by: decoder)
    }

    /// Decodes outside the caller's actor, because the server chooses the size.
    @concurrent
    fileprivate func decode(_ event: ServerEvent, with decoder: ConfiguredDecoder) async throws -> Value {
        try decoder.decode(Value.self, Data(event.data.utf8))
    }

    @MainActor fileprivate func failure(_ number: Int, _ error: any Error) -> RequestError {
        let resource = stream.request.resource
        var failure = resource.context.clock.whileCurrent {
            RequestError(.init(.invalidContent, reason: "value \(number)", underlyingError: error))
        }
        failure.setRequest(resource.url, method: stream.request.method.rawValue.uppercased())
        return failure
    }
}

extension EventStream {
    /// Returns an asynchronous sequence of the JSON values in the data of the events.
    ///
    ///     for try await token in answer.values(of: Token.self, endingWith: "[DONE]") {
    ///         print(token.text)
    ///     }
    ///
    /// The values are decoded off the caller's actor. If the data of an event cannot be decoded, the iteration fails
    /// with the code ``RequestError/Code/invalidContent``, and the connection is closed.
    ///
    /// - Parameters:
    ///   - value: The type of the decoded values.
    ///   - type: The ``ServerEvent/type`` of the events to decode; nil to decode all events. Events of other types are
    ///     ignored.
    ///   - end: The data of the event that ends the sequence, such as `[DONE]`; nil for none.
    ///   - decoder: The decoder for the data of the events; nil for the ``Configuration/jsonDecoder`` of the resource.
    public func values<Value: Decodable & Sendable>(
        of value: Value.Type, type: String? = nil, endingWith end: String? = nil, decoder: JSONDecoder? = nil
    ) -> some AsyncSequence<Value, RequestError> & Sendable {
        EventValues<Value>(stream: self, type: type, end: end, decoder: decoder)
    }
}
