public import Foundation

extension Resource {
    /// The reason why a request of a resource waits, and the time of its next attempt.
    ///
    ///     if let retry = user.retry, let date = retry.date {
    ///         print("retrying in \(Int(date.timeIntervalSinceNow)) s (\(retry.number) of \(retry.limit))")
    ///     }
    public struct Retry: Sendable {
        /// The reason why a request waits.
        public enum Reason: Sendable, Equatable {
            /// The connection failed or was lost.
            case connection
            /// The server responded with this status.
            case status(Int)
            /// The request failed in another way, and the closure ``RetryPolicy/decide`` has requested another attempt.
            case other
            /// There is no network. The request is sent when a network is available.
            case offline
            /// The server has asked the client to wait: the client's quota is used up, or the response to another
            /// request contained a `Retry-After` header.
            case server
            /// The limit ``Pacing/requestsPerSecond`` is reached.
            case rate
            /// The limit ``Pacing/concurrentRequests`` is reached.
            case concurrency
        }

        /// The reason why the request waits.
        public let reason: Reason

        /// The number of the next attempt: 1 for the first attempt, 2 for the first retry.
        public let attempt: Int

        /// The number of the retry for which the request waits: 1 for the first retry, 0 if no retry is planned yet.
        /// This number does not include attempts that follow a wait for the network. The number can exceed ``limit`` if
        /// the closure ``RetryPolicy/decide`` requests more retries.
        public let number: Int

        /// The maximum number of retries: ``RetryPolicy/retryLimit``.
        public let limit: Int

        /// The earliest time of the next attempt; nil if it is unknown, because it depends on the network or on other
        /// requests.
        public let date: Date?

        /// The error of the last attempt; nil if the request has not been sent yet.
        public let error: RequestError?

        package init(reason: Reason, attempt: Int, number: Int, limit: Int, date: Date?, error: RequestError?) {
            (self.reason, self.attempt, self.number, self.limit) = (reason, attempt, number, limit)
            (self.date, self.error) = (date, error)
        }
    }

    /// The reason why a request of this resource waits, and the time of its next attempt; nil if no request waits.
    ///
    /// While a load waits, ``isLoading`` is true, and ``latestError`` does not change. If several requests wait, the
    /// value describes the request that began to wait last. Observation tracks this property.
    /// ``ResourceObserver/resourceRetryChanged(_:retry:)`` notifies observers when the value changes.
    public var retry: Retry? {
        MainQueue.checkInDebug("Resource.retry")
        track(.retry, \.retry)
        return known(RetryWaits.self)?.last
    }

    /// Immediately sends the requests of this resource that wait after a failed attempt. Call this method when the user
    /// asks for another attempt.
    ///
    /// Requests that wait for the network, for the server's quota or for other requests continue to wait.
    /// ``RetryPolicy/retryLimit`` still limits the number of retries.
    public func retryNow() {
        MainQueue.check("Resource.retryNow()")
        // A request of this resource may be one of another resource that repeats it, or that waits for it.
        for request in running.all + context.repeatedRequests.own { request.live?.retryNow(of: self) }
        for feature in context.extensions { feature.retryNow(self) }
    }

    /// Sets or removes the wait of one request, and tells observers.
    ///
    /// - Parameter retry: the wait. It is read after the announcement, because an observer may react by ending the wait.
    func setRetry(_ retry: @autoclosure () -> Retry?, of request: AnyObject) {
        let tracked = readProperties.intersection(.retry)
        willSet(tracked)
        let retry = retry()
        let waits = extended(with: RetryWaits())
        // The old value is released after the lock, because an error may hold objects of the app.
        let old = context.stateLock.withLock { waits.set(retry, of: request) }
        didSet(tracked)
        extendLifetime(old)
        notifyObservers(retry: waits.last)
    }
}

/// The waits of the requests of one resource. Only the main actor changes them, under the lock of the states. The main actor
/// reads them without the lock.
package final class RetryWaits: ResourceExtension {
    nonisolated(unsafe) private var waits = ObjectTable<Resource.Retry>()

    /// The wait that began last.
    package nonisolated var last: Resource.Retry? { waits.last }

    /// Sets or removes the wait of one request. Returns its old wait.
    func set(_ retry: Resource.Retry?, of request: AnyObject) -> Resource.Retry? { waits.set(retry, of: request) }
}
