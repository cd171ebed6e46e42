public import Foundation
public import SiestaCore

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// The server-sent events of a stream (`text/event-stream`, WHATWG HTML §9.2), as an asynchronous sequence:
///
///     for try await event in news.eventStream {
///         print(event.type, event.data)
///     }
///
/// Each iteration opens its own connection when it requests the first event. Headers, credentials and redirects work as
/// for other requests to the resource. The stream does not change the state of the resource. To keep the data of a
/// resource up to date, see ``Configuration/live``.
///
/// **Connections.** When a connection ends or is lost, the stream opens another connection, and sends the last event
/// identifier that it has received as `Last-Event-ID`. The delay before a new connection grows from 1 to 30 seconds,
/// and is partly random. After a connection that lasted more than 60 seconds, the delay is reset to its minimum.
/// `retry` fields of the stream and `Retry-After` of a response change the delay. A connection counts as lost if no
/// bytes arrive for 300 seconds; to change this limit, pass a `silenceLimit`. While there is no network, or while the
/// app is in the background, the stream has no connection.
///
/// **End.** The sequence ends when the server responds with 204, when the loop exits, or when the task is cancelled. A
/// status of 400 or more ends the sequence with an error. The exceptions are 408, 425, 429, 500, 502, 503 and 504,
/// after which the stream opens another connection. If the response has a content type other than `text/event-stream`,
/// the sequence ends with the error ``RequestError/Code/notEventStream``. If the service is wiped with its caches, or
/// if the user signs in or out, the sequence ends with a cancellation error. If the stream is waiting for its next
/// connection at that time, the sequence ends after the wait.
///
/// **Order and memory.** The events arrive in order. A slow consumer makes the server wait. The stream needs memory for
/// one event, and for received bytes that the consumer has not read yet. Bytes are parsed off the caller's actor, in
/// linear time.
public struct EventStream: AsyncSequence, Sendable {
    /// An event of the stream.
    public typealias Element = ServerEvent

    /// The type of the errors that an iteration throws.
    public typealias Failure = RequestError

    /// The arguments of `Resource.eventStream`.
    struct Options: Sendable {
        var silenceLimit: TimeInterval = 300
        var eventLimit = 1 << 22
        var reconnects: Bool?
        var lastEventID = ""
        var onOpen: (@Sendable (Opening) -> Void)?
    }

    /// The head of the response of one connection.
    public struct Opening: Sendable {
        /// The status code, from 200 to 299.
        public let statusCode: Int
        /// The header fields, with their names in lower case.
        public let headers: [String: String]
        /// The identifier that was sent as `Last-Event-ID`; empty if no identifier was sent.
        public let lastEventID: String
    }

    var request: EventRequest

    /// Returns a copy of this stream that also calls a closure with the head of each successful response, before it
    /// delivers the events of this response.
    public func onOpen(_ action: @escaping @Sendable (Opening) -> Void) -> EventStream {
        var copy = self
        copy.request.options.onOpen = action
        return copy
    }

    /// Creates an iterator, which opens a connection when its first event is requested.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(request)
    }

    /// The iterator of one loop over the events.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let request: EventRequest
        private let reader: EventReader
        /// The events that have arrived together.
        private var events = ArraySlice<ServerEvent>()
        private var permit: DeliveryPermit

        init(_ request: EventRequest) {
            (self.request, reader) = (request, EventReader(request, after: request.options.lastEventID))
            permit = DeliveryPermit(request.resource)
        }

        /// Waits for the next event. Returns nil at the end of the stream, and after an error was thrown.
        public mutating func next() async throws(RequestError) -> ServerEvent? {
            while true {
                if await permit.isOver() { events = [] }
                if let event = events.popFirst() { return event }
                switch try await reader.next() {
                case .opened(let head, let lastID): request.options.onOpen?(Opening(head, lastID))
                case .events(let new): events = new[...]
                case .opening, .interrupted: break
                case nil: return nil
                }
            }
        }

        /// Waits for the next event. Returns nil at the end of the stream, and after an error was thrown.
        public mutating func next(isolation: isolated (any Actor)?) async throws(RequestError) -> ServerEvent? {
            try await next()
        }
    }
}

/// Not `Sendable`: an iteration belongs to one task.
@available(*, unavailable)
extension EventStream.AsyncIterator: Sendable {}

extension EventStream.Opening {
    init(_ head: NetworkResponse.Head, _ lastID: String) {
        self.init(statusCode: head.status, headers: head.fields.dictionary, lastEventID: lastID)
    }
}

extension Resource {
    /// The events that the server sends for this resource; see ``EventStream``.
    public nonisolated var eventStream: EventStream { eventStream() }

    /// Returns the events that the server sends in response to a request to this resource; see ``EventStream``.
    ///
    /// For example, a language model streams its response to a POST request:
    ///
    ///     let answer = chat.eventStream(.post) { request in
    ///         request.httpBody = Data(#"{"prompt": "Hello"}"#.utf8)
    ///     }
    ///     for try await token in answer.values(of: Token.self, endingWith: "[DONE]") {
    ///         print(token.text)
    ///     }
    ///
    /// - Parameters:
    ///   - method: The HTTP method of the request. The default is GET.
    ///   - lastEventID: The identifier of the event after which the stream begins. The default is empty: the stream
    ///     begins with the first event that the server sends.
    ///   - reconnects: True if the stream opens a new connection when a connection ends. The default is nil: true for
    ///     GET, and false for other methods.
    ///   - silenceLimit: The number of seconds that a connection can go without receiving any bytes before it counts as
    ///     lost. The default is 300. To keep a connection open, servers can send comments. The value `infinity` turns off the
    ///     check.
    ///   - eventLimit: The maximum size of an event, in bytes. A larger event ends the stream with
    ///     ``RequestError/Code/contentTooLong``. The default is 4 MB (4 194 304 bytes).
    ///   - requestMutation: A closure that changes the request of each connection. The closure runs on the main actor.
    public nonisolated func eventStream(
        _ method: RequestMethod = .get, after lastEventID: String = "", reconnects: Bool? = nil,
        silenceLimit: TimeInterval = 300, eventLimit: Int = 1 << 22,
        requestMutation: (@MainActor @Sendable (_ request: inout URLRequest) -> Void)? = nil
    ) -> EventStream {
        let options = EventStream.Options(
            silenceLimit: silenceLimit, eventLimit: eventLimit, reconnects: reconnects, lastEventID: lastEventID)
        return EventStream(
            request: EventRequest(resource: self, method: method, options: options, mutation: requestMutation))
    }
}
