public import Foundation

/// The work of a custom ``Request``; see ``Resource/prepareRequest(using:)``.
///
/// All methods are called on the main thread.
#if Swift5Clients
@preconcurrency
#endif
@MainActor
public protocol RequestDelegate {
    /// Starts the work. When the work is complete, the delegate passes the result to `completionHandler`. This method
    /// is called at most once.
    func startUnderlyingOperation(passingResponseTo completionHandler: any RequestCompletionHandler)

    /// Stops the work. The request ignores any later result of the work.
    func cancelUnderlyingOperation()

    /// Returns a delegate for a new request that does the same work.
    func repeated() -> any RequestDelegate

    /// Returns the completed fraction of the work, from 0 to 1.
    func computeProgress() -> Double

    /// The time between two progress reports, in seconds.
    var progressReportingInterval: TimeInterval { get }

    /// A description of the request for logs.
    var requestDescription: String { get }
}

extension RequestDelegate {
    /// Returns 0, because the progress is unknown by default.
    public func computeProgress() -> Double { 0 }

    /// The default interval: 0.05 seconds.
    public var progressReportingInterval: TimeInterval { 0.05 }

    /// The default description, which contains the name of the delegate's type.
    public var requestDescription: String { "Request with delegate \(type(of: self))" }
}

/// The receiver of the result of a ``RequestDelegate``.
#if Swift5Clients
@preconcurrency
#endif
@MainActor
public protocol RequestCompletionHandler {
    /// Completes the request with `response`. Has no effect if the request has already completed.
    func broadcastResponse(_ response: ResponseInfo)

    /// Returns true if `response` would have no effect, because the request has completed or was cancelled. In this
    /// case, logs a warning about `response`, unless the request was cancelled.
    func willIgnore(_ response: ResponseInfo) -> Bool
}

/// The work of a request inside the library, which a ``LiveRequest`` starts. Each requirement has a default, so that a type
/// states only what it needs.
@MainActor
package protocol LibraryRequestDelegate: AnyObject, RequestDelegate {
    /// The name for errors. It does not contain the host, the user or the query of a URL.
    var requestName: String { get }

    /// The request for which the work waits, or will wait after it has started; nil if it waits for none. Other parts of the
    /// app may need this request, too.
    var awaited: (any Request)? { get }

    /// Stops the work in the same way as `cancelUnderlyingOperation()`, but does not cancel requests that other code
    /// needs.
    func abandonUnderlyingOperation()

    /// True while nothing happens before a timer is due, the network returns, or another request ends.
    var isWaitingForTimer: Bool { get }

    /// Makes the next attempt now, if the work is a request of this resource and waits for a retry.
    func retryNow(of resource: AnyObject)

    /// Makes sure that the work accepts no data that is older than `maxAge` seconds, if it can end without the network.
    func accept(maxAge: TimeInterval?)

    /// Prevents the work from taking effect. Returns false if the work has already taken effect. Then the request can
    /// only succeed.
    ///
    /// - Parameter ifUnwanted: True to keep requests that other code needs.
    func cancelEffect(ifUnwanted: Bool) -> Bool
}

extension LibraryRequestDelegate {
    package var requestName: String { String(describing: type(of: self)) }
    package var awaited: (any Request)? { nil }
    package func abandonUnderlyingOperation() { cancelUnderlyingOperation() }
    package var isWaitingForTimer: Bool { false }
    package func retryNow(of resource: AnyObject) {}
    package func accept(maxAge: TimeInterval?) {}
    package func cancelEffect(ifUnwanted: Bool) -> Bool { true }
}

extension RequestCompletionHandler {
    /// The request that is completed, if it is one of the library; nil if the app has defined its type.
    package var live: LiveRequest? { self as? LiveRequest }
}

extension Request {
    /// The request if it is one of the library; nil if the app has defined its type.
    package var live: LiveRequest? { self as? LiveRequest }

    /// Adds a hook for another request whose work includes this request. `isWanted` returns true if the other request
    /// still needs the response.
    @MainActor
    func onCompletion(_ callback: @escaping (ResponseInfo) -> Void, whileWanted isWanted: @escaping () -> Bool) {
        guard let live else { return _ = onCompletion(callback) }
        live.attach(.dependent(callback, isWanted: isWanted))
    }

    /// Cancels the request if nothing needs its outcome. Always cancels a request of a type that the app defines,
    /// because its hooks are unknown.
    @MainActor
    func cancelIfUnwanted() {
        guard let live else { return cancel() }
        live.cancelIfUnwanted()
    }

    /// Prevents the request's work from taking effect. Returns false if the work has already taken effect.
    @MainActor
    func cancelEffect(ifUnwanted: Bool) -> Bool { live?.cancelEffect(ifUnwanted: ifUnwanted) ?? true }
}
