/// One request to a resource, or a chain of them: something that runs, completes once, and can be cancelled.
///
/// Hooks may be attached at any time. Each runs at most once (progress hooks: any number of times), on the main thread,
/// in the order they were attached, and never before the call that attaches it has returned — also if the request
/// completed long ago.
@preconcurrency @MainActor
public protocol Request: AnyObject, Sendable {
    /// Calls back when the request has completed in any way, cancellation included.
    @discardableResult func onCompletion(_ callback: @escaping (ResponseInfo) -> Void) -> any Request

    /// Calls back if the request succeeds, with new data or with a confirmation of old data.
    @discardableResult func onSuccess(_ callback: @escaping (Entity<Any>) -> Void) -> any Request

    /// Calls back if the request succeeds with data that was not known before.
    @discardableResult func onNewData(_ callback: @escaping (Entity<Any>) -> Void) -> any Request

    /// Calls back if the request succeeds by confirming that the data already here is current.
    @discardableResult func onNotModified(_ callback: @escaping () -> Void) -> any Request

    /// Calls back if the request fails or is cancelled.
    @discardableResult func onFailure(_ callback: @escaping (RequestError) -> Void) -> any Request

    /// Calls back while the request runs, whenever ``progress`` has changed, and with 1 before the completion hooks.
    @discardableResult func onProgress(_ callback: @escaping (Double) -> Void) -> any Request

    /// Starts the request if it has not started yet; else does nothing.
    @discardableResult func start() -> any Request

    /// Whether the request has started and completed.
    var state: RequestState { get }

    /// An estimate of how much is done, from 0 to 1, which never goes back; 1 when completed, in whatever way.
    var progress: Double { get }

    /// Completes the request at once with ``RequestError/Cause/RequestCancelled``; has no effect on a completed one.
    ///
    /// The server may still receive and act on it.
    func cancel()

    /// A new, unstarted request that does the same again, with headers and configuration as they are then.
    ///
    /// Hooks and decorators are not carried over, and a repeated load does not update the resource.
    func repeated() -> any Request
}

/// How far a ``Request`` has come.
public enum RequestState: Sendable {
    /// `start()` has not been called.
    case notStarted
    /// Started; the response, parsing included, is not available yet.
    case inProgress
    /// The response is available, or the request was cancelled.
    case completed
}

extension Request {
    /// Whether the response is available.
    public var isCompleted: Bool { state == .completed }
}
