public import Foundation

/// The work of a custom ``Request``; see ``Resource/prepareRequest(using:)``.
///
/// All methods are called on the main thread.
@preconcurrency @MainActor
public protocol RequestDelegate {
    /// Starts the work. The delegate passes the result to `completionHandler` when the work is complete. Called at most
    /// once.
    func startUnderlyingOperation(passingResponseTo completionHandler: any RequestCompletionHandler)

    /// Stops the work. Results that it still produces are ignored.
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
    /// Returns 0, since the progress is not known.
    public func computeProgress() -> Double { 0 }

    /// The default interval: 0.05 seconds.
    public var progressReportingInterval: TimeInterval { 0.05 }

    /// The name of the delegate's type.
    public var requestDescription: String { "Request with delegate \(type(of: self))" }
}

/// The receiver of the result of a ``RequestDelegate``.
@preconcurrency @MainActor
public protocol RequestCompletionHandler {
    /// Completes the request with `response`, unless it has completed already.
    func broadcastResponse(_ response: ResponseInfo)

    /// Returns true if the request has completed or was cancelled, and `response` would have no effect. In this case,
    /// logs a warning about `response`, unless the request was cancelled.
    func willIgnore(_ response: ResponseInfo) -> Bool
}

/// Work with a name for errors. The name does not contain the host, the user or the query of a URL.
@MainActor
protocol NamedRequestDelegate: RequestDelegate {
    var requestName: String { get }
}

/// Work that consists of other requests, which other parts of the app may need, too.
@MainActor
protocol DependentRequestDelegate: NamedRequestDelegate {
    /// The request for which the work waits, or will wait after it has started.
    var awaited: (any Request)? { get }

    /// Stops the work as `cancelUnderlyingOperation()` does, but does not cancel requests that others need.
    func abandonUnderlyingOperation()
}

/// Work that takes effect at one point in time, after which it cannot be undone.
@MainActor
protocol CommittingRequestDelegate: RequestDelegate {
    /// Prevents the work from taking effect. Returns false if it has already taken effect, so that the request can only
    /// succeed.
    ///
    /// - Parameter ifUnwanted: True to leave requests alone that others need.
    func cancelEffect(ifUnwanted: Bool) -> Bool
}

extension Request {
    /// Adds a hook for a request that does its work with this one. `isWanted` tells if that request still needs the
    /// response.
    @MainActor
    func onCompletion(_ callback: @escaping (ResponseInfo) -> Void, whileWanted isWanted: @escaping () -> Bool) {
        guard let live = self as? LiveRequest else { return _ = onCompletion(callback) }
        live.attach(.dependent(callback, isWanted: isWanted))
    }

    /// Cancels the request if nothing needs its outcome. Cancels requests of the app's own types in any case, since
    /// they do not tell.
    @MainActor
    func cancelIfUnwanted() {
        guard let live = self as? LiveRequest else { return cancel() }
        live.cancelIfUnwanted()
    }

    /// Prevents the request's work from taking effect. Returns false if it is too late.
    @MainActor
    func cancelEffect(ifUnwanted: Bool) -> Bool { (self as? LiveRequest)?.cancelEffect(ifUnwanted: ifUnwanted) ?? true }
}
