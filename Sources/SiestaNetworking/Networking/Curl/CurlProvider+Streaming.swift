#if os(Linux) || os(Android)
import CurlTransport
import Foundation
public import FoundationNetworking
import HTTPRules
import Isolation

extension CurlProvider: StreamingNetworkingProvider {
    /// Starts an exchange that reads `body` while sending it, and passes the response to `receiver` while it arrives.
    ///
    /// While 256 KB or more of the body are waiting to be sent, the exchange does not read the next piece. If the
    /// receiver is slow, up to about 2 MB of the response are buffered in memory; after that, the server must wait.
    ///
    /// `completion` runs on any thread, often on the thread of the transport, and must not block this thread.
    public func startRequest(
        _ request: URLRequest, body: (any StreamedBody)?, receiver: (any ResponseReceiver)?,
        completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        var call = TransportCall(request)
        (call.body, call.receiver) = (body, receiver)
        return start(call, callback: completion)
    }
}

extension RedirectRules {
    /// Returns true if a response to `request` is a redirect that was not followed for a single reason: the body cannot
    /// be sent twice.
    func wouldSendBodyAgain(after head: ResponseHead, to request: URLRequest) -> Bool {
        let locations = head.headers.values(of: "Location")
        guard let location = locations.first, locations.allSatisfy({ $0 == location }) else { return false }
        let step = step(
            after: .init(method: request.httpMethod ?? "GET", url: head.url, canResendBody: true),
            status: head.status, location: location, redirects: 0)
        return if case .follow(let redirect) = step { redirect.keepsBody } else { false }
    }
}

/// Adapts a body to the transport. Each time the body is sent, the adapter uses a new reader.
final class BodyAdapter: BodySource {
    private let body: any StreamedBody
    private let reader = Locked<(any BodyReader)?>(nil)  // one call is made at a time, on any thread

    init(_ body: any StreamedBody) {
        self.body = body
    }

    func next() async throws -> Data? {
        if let present = reader.withLock({ $0 }) { return try await present.next() }
        let new = try body.makeReader()  // Outside the lock, because it may run any code.
        _ = reader.withLock { exchange(&$0, with: new) }
        return try await new.next()
    }

    var canRewind: Bool { body.isRepeatable }

    func rewind() async throws {
        _ = reader.withLock { $0.take() }  // Released outside the lock, because the release may run any code.
    }
}

struct ReceiverAdapter: BodyConsumer {
    let receiver: any ResponseReceiver

    func begin(_ head: ResponseHead) async throws {
        let head = NetworkResponse.Head(status: head.status, fields: HeaderFields(head.headers.fields), url: head.url)
        guard let response = head.urlResponse else { throw URLError(.badServerResponse) }
        try await receiver.begin(response)
    }

    func consume(_ piece: Data) async throws {
        try await receiver.receive(piece)
    }
}

extension TransportError {
    /// The error for apps. If the body or the receiver failed, its error; otherwise a `URLError`.
    var publicError: any Error {
        switch (kind, underlyingError) {
        case (.bodySource, let error as RequestError.Failure): error
        case (.bodySource, is UnrepeatableSource): RequestError.Failure(.unrepeatableBody)
        case (.bodySource, let error): RequestError.Failure.unreadableBody(nil, error ?? self)
        case (.bodyConsumer, let error?): error
        default: URLError(self)
        }
    }
}
#endif
