public import Foundation

/// Does the work of a custom ``Request``; see ``Resource/prepareRequest(using:)``.
///
/// All of it is called on the main thread.
@preconcurrency @MainActor
public protocol RequestDelegate {
    /// Begins the work, and passes its result to `completionHandler` when it is there; called at most once.
    func startUnderlyingOperation(passingResponseTo completionHandler: any RequestCompletionHandler)

    /// Ends the work; whatever it still yields is ignored.
    func cancelUnderlyingOperation()

    /// A delegate that does the same again.
    func repeated() -> any RequestDelegate

    /// How much is done now, from 0 to 1.
    func computeProgress() -> Double

    /// How often progress is reported, in seconds.
    var progressReportingInterval: TimeInterval { get }

    /// What the request does, for logs.
    var requestDescription: String { get }
}

extension RequestDelegate {
    /// 0: not known.
    public func computeProgress() -> Double { 0 }

    /// 0.05 seconds.
    public var progressReportingInterval: TimeInterval { 0.05 }

    /// The name of the type.
    public var requestDescription: String { "Request with delegate \(type(of: self))" }
}

/// Takes the result of a ``RequestDelegate``'s work.
@preconcurrency @MainActor
public protocol RequestCompletionHandler {
    /// Completes the request with `response`, unless it has completed already.
    func broadcastResponse(_ response: ResponseInfo)

    /// Whether `response` would have no effect, since the request has completed or was cancelled; such a response is
    /// logged.
    func willIgnore(_ response: ResponseInfo) -> Bool
}

/// Work that has a name for errors: without host, user and query of a URL.
@MainActor
protocol NamedRequestDelegate: RequestDelegate {
    var requestName: String { get }
}

/// Work that consists of other requests, which others may be interested in, too.
@MainActor
protocol DependentRequestDelegate: NamedRequestDelegate {
    /// The request that the work waits for, or will wait for once it has started.
    var awaited: (any Request)? { get }

    /// Ends the work as `cancelUnderlyingOperation()` does, but leaves alone the requests that others want.
    func abandonUnderlyingOperation()
}

/// Work that takes effect at one moment, and cannot be taken back afterwards.
@MainActor
protocol CommittingRequestDelegate: RequestDelegate {
    /// Keeps the work from taking effect; false if it has had it, so that the request can only succeed.
    ///
    /// - Parameter ifUnwanted: whether requests that others want are left alone.
    func cancelEffect(ifUnwanted: Bool) -> Bool
}

extension Request {
    /// Tells a request which does its work with this one, as long as that wants to know.
    @MainActor
    func onCompletion(_ callback: @escaping (ResponseInfo) -> Void, whileWanted isWanted: @escaping () -> Bool) {
        guard let live = self as? LiveRequest else { return _ = onCompletion(callback) }
        live.attach(.dependent(callback, isWanted: isWanted))
    }

    /// Cancels the request unless anybody is interested in its outcome, as far as that can be told.
    @MainActor
    func cancelIfUnwanted() {
        guard let live = self as? LiveRequest else { return cancel() }
        live.cancelIfUnwanted()
    }

    /// Keeps the request's work from taking effect; false if it is too late for that.
    @MainActor
    func cancelEffect(ifUnwanted: Bool) -> Bool { (self as? LiveRequest)?.cancelEffect(ifUnwanted: ifUnwanted) ?? true }
}
