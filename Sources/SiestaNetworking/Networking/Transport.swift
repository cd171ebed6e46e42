import Dispatch

#if canImport(FoundationNetworking)
import Foundation
package import FoundationNetworking
#else
package import Foundation
#endif

/// A type that sends requests for an ``Exchange``.
///
/// The providers of this library are transports, and so are the objects that observe, delay or answer the requests of
/// another transport. ``ProviderTransport`` adapts the providers of apps.
package protocol Transport: NetworkingProvider {
    /// The abilities beyond sending a request and keeping the response in memory.
    @MainActor var capabilities: TransportCapabilities { get }

    /// Starts a call and returns a handle at once.
    ///
    /// `completion` is called exactly once, on any thread, even after `cancel()`, and after the last call to the receiver
    /// has returned. If the body's reader or the receiver has thrown an error, the response has this error unchanged.
    @MainActor func start(
        _ call: TransportCall, completion: @escaping @Sendable (NetworkResponse) -> Void
    ) -> any RequestNetworking

    /// The header fields that the transport adds to requests, as far as they are known.
    @MainActor var addedFields: AddedFields { get }

    /// The cookies; nil if the transport keeps no cookies. The first use may create the store.
    @MainActor var cookieKeeper: (any CookieKeeping)? { get }

    /// False if no request has received a cookie, or could send one.
    @MainActor var mayHaveCookies: Bool { get }

    /// Returns a transport with the same properties that keeps the cookies of a user in this storage; itself if it cannot
    /// keep cookies.
    @MainActor func keepingCookies(in storage: CookieStorage, of owner: CookieOwner) -> any Transport
}

/// The abilities of a ``Transport``.
package struct TransportCapabilities: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Reads bodies while it sends them, and passes on responses while they arrive.
    package static let streaming = TransportCapabilities(rawValue: 1)
    /// Carries out the ``RequestExtras`` of a call.
    package static let extras = TransportCapabilities(rawValue: 2)
}

/// One request, as a ``Transport`` receives it.
package struct TransportCall: Sendable {
    package var request: URLRequest
    private var streams = Streams.none
    /// What a `URLRequest` cannot express. A transport without ``TransportCapabilities/extras`` ignores it.
    package var extras: RequestExtras?
    /// True if the redirects are needed also of a provider that does not report them.
    package var needsRedirects = false
    /// True if the URL of the response is needed although the request carries no credential.
    package var needsURL = false

    package init(_ request: URLRequest) { self.request = request }

    /// What few calls have, in the size of a pointer.
    private indirect enum Streams {
        case none
        case some(body: (any StreamedBody)?, receiver: (any ResponseReceiver)?, cookies: (any CookieStore)?)
    }

    /// The body that replaces the body of the request; nil for the body of the request.
    package var body: (any StreamedBody)? {
        get { if case .some(let body, _, _) = streams { body } else { nil } }
        set { set(newValue, receiver, cookies) }
    }

    /// The receiver of the response while it arrives; nil if the response is kept in memory.
    package var receiver: (any ResponseReceiver)? {
        get { if case .some(_, let receiver, _) = streams { receiver } else { nil } }
        set { set(body, newValue, cookies) }
    }

    /// The cookies of a call with a body that is read before the call is sent: the user may change in the meantime. Nil for
    /// the cookies at the time of sending.
    var cookies: (any CookieStore)? {
        get { if case .some(_, _, let cookies) = streams { cookies } else { nil } }
        set { set(body, receiver, newValue) }
    }

    private mutating func set(
        _ body: (any StreamedBody)?, _ receiver: (any ResponseReceiver)?, _ cookies: (any CookieStore)?
    ) {
        let isPlain = body == nil && receiver == nil && cookies == nil
        streams = isPlain ? .none : .some(body: body, receiver: receiver, cookies: cookies)
    }

    /// True if the call has a body or a receiver of its own.
    var isStreamed: Bool {
        if case .some(let body, let receiver, _) = streams { body != nil || receiver != nil } else { false }
    }

    /// True if the response has the URL from which it came, if the transport knows it.
    var reportsURL: Bool { extras != nil || needsURL }
}

extension Transport {
    @MainActor package var addedFields: AddedFields { AddedFields(keepsCookies: false) }

    @MainActor package var cookieKeeper: (any CookieKeeping)? { nil }

    @MainActor package var mayHaveCookies: Bool { cookieKeeper?.store.mayHaveCookies ?? false }

    @MainActor package func keepingCookies(in storage: CookieStorage, of owner: CookieOwner) -> any Transport { self }

    /// Starts a call. A body that is announced as empty, and can be read only once, is read first.
    @MainActor package func send(
        _ call: TransportCall, completion: @escaping @Sendable (NetworkResponse) -> Void
    ) -> any RequestNetworking {
        guard call.isStreamed, let body = call.body, body.length == 0, !body.isRepeatable,
            capabilities.contains(.streaming)
        else {
            return start(call, completion: completion)
        }
        let cookies = cookieKeeper?.store
        return AnnouncedEmptyBodyRequest(body, completion: completion) {
            var call = call
            (call.body, call.cookies) = ($0, cookies)
            return start(call, completion: completion)
        }
    }

    /// Starts a request in the form of Siesta 1.5.
    @MainActor package func startRequest(
        _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        startRequest(request, body: nil, receiver: nil, completion: completion)
    }

    /// Starts a request in the form of a ``StreamingNetworkingProvider``.
    @MainActor package func startRequest(
        _ request: URLRequest, body: (any StreamedBody)?, receiver: (any ResponseReceiver)?,
        completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        var call = TransportCall(request)
        (call.body, call.receiver) = (body, receiver)
        return start(call, callback: completion)
    }

    /// Starts a call, and reports its result in the form of a ``NetworkingProvider``.
    @MainActor package func start(
        _ call: TransportCall, callback: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        var call = call
        call.needsURL = true
        return start(call) { callback($0.urlResponse, $0.body, $0.error) }
    }
}

/// A request that failed before it reached the network.
@MainActor
package struct FailedStart: RequestNetworking {
    package init(_ error: any Error, _ completion: @escaping @Sendable (NetworkResponse) -> Void) {
        DispatchQueue.global(qos: .userInitiated).async { completion(NetworkResponse(error: error)) }
    }

    package func cancel() {}

    package var transferMetrics: RequestTransferMetrics { .nothing }
}

extension RequestTransferMetrics {
    /// The metrics of a request that has sent and received nothing.
    static var nothing: RequestTransferMetrics {
        RequestTransferMetrics(
            requestBytesSent: 0, requestBytesTotal: nil, responseBytesReceived: 0, responseBytesTotal: nil)
    }
}
