extension ActivityEvent {
    /// The result of deciding whether to load a resource.
    public enum LoadOutcome: Sendable {
        /// A load began.
        case began
        /// No load began, because a load is already running.
        case joined
        /// No load began, because the resource is up to date.
        case upToDate
        /// A load began. Before it sends a request, it waits for the persistent caches.
        case waitsForCache
        /// No load began, because the last load failed recently, or because the server has asked the client to wait.
        case held
    }

    /// The reason for a load.
    public enum LoadReason: Sendable {
        /// No load has taken place, or the reason is unknown.
        case none
        /// A call to ``Resource/load()``.
        case load
        /// A call to ``Resource/loadIfNeeded()``, to ``Resource/get(_:)``, or to one of their variants.
        case loadIfNeeded
        /// The same calls as for `loadIfNeeded`, if this is the first load since an observer was added.
        case observer
        /// A call to ``Resource/load(using:)``.
        case loadUsingRequest
        /// A poll of the resource was due.
        case poll
        /// A trigger: the app came to the foreground, the network came back, or an observer was added to a resource
        /// with stale data.
        case trigger
        /// The resource is observed, and a dependency has invalidated its data.
        case dependency
        /// A pending change to the resource needs the newest data.
        case change
    }

    /// The reason for sending a request.
    public enum SendReason: Sendable {
        /// The first attempt.
        case first
        /// A retry after a failure.
        case retry
        /// A retry with a new credential, after the server refused the previous credential.
        case refresh
        /// A retry without a condition, because the response to the conditional request cannot be used.
        case unconditional
    }

    /// The outcome of a request that has ended, with its status and its metrics.
    public struct RequestEnd: Sendable {
        /// The outcome of the request.
        public let outcome: Outcome
        /// The status of the response; nil if there was no response, or if the status is unknown.
        public let status: Int?
        /// The reason for a failure or a cancellation, as readable text without secrets; nil after a success.
        public let failure: String?
        /// The times and sizes of the request; nil if the provider does not measure its requests.
        public let metrics: RequestMetrics?

        /// The outcome of a request.
        public enum Outcome: Sendable {
            /// The request succeeded.
            case success
            /// The server confirmed the current data of the resource.
            case notModified
            /// The request failed.
            case failure
            /// The request was cancelled.
            case cancelled
        }

        package init(outcome: Outcome, status: Int?, failure: String?, metrics: RequestMetrics?) {
            (self.outcome, self.status, self.failure, self.metrics) = (outcome, status, failure, metrics)
        }
    }
}
