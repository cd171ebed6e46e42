extension ActivityEvent {
    /// The decision of a function that may load a resource.
    public struct LoadDecision: Hashable, Sendable {
        /// The function, or the trigger that called it.
        public let reason: LoadReason
        /// The result of the decision.
        public let outcome: Outcome

        /// The result of a decision.
        public enum Outcome: String, Hashable, Sendable {
            /// A load began.
            case began
            /// A load is already running.
            case joined
            /// The resource is up to date.
            case upToDate
            /// A load began, and first waits for the persistent caches.
            case waitsForCache
            /// No load began, because the last load failed recently, or because the server has asked the client to
            /// wait.
            case held
        }

        package init(_ reason: LoadReason, _ outcome: Outcome) {
            (self.reason, self.outcome) = (reason, outcome)
        }
    }

    /// The reason for a load.
    public enum LoadReason: UInt8, Hashable, Sendable, CaseIterable {
        /// No load has taken place, or the reason is unknown.
        case none
        /// A call to ``Resource/load()``.
        case load
        /// A call to ``Resource/loadIfNeeded()``, to ``Resource/get(_:)``, or to one of their variants.
        case loadIfNeeded
        /// A call to ``Resource/loadIfNeeded()`` or one of its variants, after an observer was added.
        case observer
        /// A call to ``Resource/load(using:)``.
        case loadUsingRequest
        /// A poll of the resource was due.
        case poll
        /// A trigger: the app came to the foreground, the network came back, or an observer was added to stale data.
        case trigger
        /// The resource is observed, and a dependency has invalidated its data.
        case dependency
        /// A pending change needs the newest data.
        case change
    }

    /// The start of a request.
    public struct RequestStart: Hashable, Sendable {
        /// The method in upper case.
        public let method: String
        /// True if the request is a load of its resource.
        public let isLoad: Bool

        package init(method: String, isLoad: Bool) { (self.method, self.isLoad) = (method, isLoad) }
    }

    /// One attempt to send a request.
    public struct RequestSend: Hashable, Sendable {
        /// The number of the attempt: 1 for the first.
        public let attempt: Int
        /// The reason for the attempt.
        public let reason: SendReason
        /// The trace context that is sent; nil if none is sent. See ``Configuration/sendsTraceContext``.
        public let trace: TraceContext?

        package init(attempt: Int, reason: SendReason, trace: TraceContext? = nil) {
            (self.attempt, self.reason, self.trace) = (attempt, reason, trace)
        }
    }

    /// The reason for sending a request.
    public enum SendReason: String, Hashable, Sendable {
        /// The first attempt.
        case first
        /// A retry after a failure.
        case retry
        /// A retry with a new credential, after the server refused the previous credential.
        case refresh
        /// A retry without a condition, because the response to the conditional request cannot be used.
        case unconditional
    }

    /// A redirect that the network has followed (RFC 9110 §15.4). Custom providers do not report redirects.
    public struct Redirect: Hashable, Sendable {
        /// The status, for example 302.
        public let status: Int
        /// The `Location` header, as the server sent it. The header may contain secrets, and
        /// ``ActivityEvent/description`` omits them.
        public let location: String

        package init(status: Int, location: String) { (self.status, self.location) = (status, location) }
    }

    /// The end of a request.
    public struct RequestEnd: Sendable {
        /// The outcome of the request.
        public let outcome: Outcome
        /// The status of the response; nil if there was no response, or if the status is unknown.
        public let status: Int?
        /// The reason for a failure, as readable text that contains no secrets; nil after a success.
        public let failure: String?
        /// The times and sizes of the request; nil if the provider does not measure its requests.
        public let metrics: RequestMetrics?

        /// The outcome of a request.
        public enum Outcome: String, Hashable, Sendable {
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
