/// A request to a resource, or a chain of requests. A request runs, completes once, and can be cancelled.
///
/// Hooks can be attached at any time, even after completion. A progress hook runs any number of times; any other hook
/// runs at most once. Hooks run on the main thread, in the order in which they were attached. The call that attaches a
/// hook always returns before the hook runs.
#if Swift5Clients
@preconcurrency
#endif
@MainActor
public protocol Request: AnyObject, Sendable {
    /// Adds a hook that runs when the request completes, whether it succeeds, fails or is cancelled.
    @discardableResult func onCompletion(_ callback: @escaping (ResponseInfo) -> Void) -> any Request

    /// Adds a hook that runs if the request succeeds, either with new data or because the server confirmed the existing
    /// data.
    @discardableResult func onSuccess(_ callback: @escaping (Entity<Any>) -> Void) -> any Request

    /// Adds a hook that runs if the request succeeds with new data.
    @discardableResult func onNewData(_ callback: @escaping (Entity<Any>) -> Void) -> any Request

    /// Adds a hook that runs if the request succeeds without new data, because the existing data is current.
    @discardableResult func onNotModified(_ callback: @escaping () -> Void) -> any Request

    /// Adds a hook that runs if the request fails or is cancelled.
    @discardableResult func onFailure(_ callback: @escaping (RequestError) -> Void) -> any Request

    /// Adds a hook that reports changes in ``progress`` while the request runs. Before the completion hooks run, this
    /// hook runs once more, with the value 1.
    @discardableResult func onProgress(_ callback: @escaping (Double) -> Void) -> any Request

    /// Starts the request. Does nothing if the request has already been started.
    @discardableResult func start() -> any Request

    /// The state of the request: not started, in progress, or completed.
    var state: RequestState { get }

    /// An estimate of the completed fraction, from 0 to 1. The value never decreases, and is 1 after a success, a
    /// failure or a cancellation.
    var progress: Double { get }

    /// Completes the request at once, with an error whose cause is ``RequestError/Cause/RequestCancelled``.
    ///
    /// This method does nothing if the request has completed. It also does nothing if the request is a download whose
    /// file already has its final name, because such a download can no longer be undone.
    ///
    /// The server may still receive and process a cancelled request.
    func cancel()

    /// Returns a new, unstarted request that does the same work. The headers and the configuration of the new request
    /// are determined when it starts.
    ///
    /// The new request has no hooks and no decorators, and does not update the resource, even if this request is a
    /// load. If this request is a write by a user who has since signed out, the new request is cancelled when it
    /// starts.
    func repeated() -> any Request
}

/// The states of a ``Request``.
public enum RequestState: Sendable {
    /// The request has not been started.
    case notStarted
    /// The request has started, but its parsed response is not available yet.
    case inProgress
    /// The response is available, or the request was cancelled.
    case completed
}

extension Request {
    /// True if the request has completed.
    public var isCompleted: Bool { state == .completed }
}
