package import Foundation
import Siesta

/// How things stand with the data of a screen, gathered from all of its resources.
package struct LoadStatus: Equatable, Sendable {
    /// Where the data came from.
    package enum Answer: Int, CaseIterable, Sendable {
        /// New data from the server.
        case network
        /// A 304: the server says that what was here is current.
        case notModified
        /// It was here and young enough; nobody was asked.
        case memory
        /// It was kept since an earlier start; nobody was asked.
        case cache
        /// Put in place by the app itself.
        case local
    }

    /// What failed.
    package struct Failure: Equatable, Sendable {
        package let message: String
        package let statusCode: Int?
        /// The time in seconds after which the server accepts a request; nil if it is unknown or has passed.
        package var retryAfter: TimeInterval?
    }

    /// The reason for which a request waits. Times are in seconds from now.
    package enum Wait: Equatable, Sendable {
        /// The last attempt has failed.
        case retry(TimeInterval, number: Int, limit: Int, after: Failure)
        /// The rate limit is used up.
        case rateLimit(TimeInterval)
        /// There is no network.
        case network
        /// Other requests come first.
        case turn
    }

    /// Nothing is loaded, and there is no data.
    package static let idle = LoadStatus()

    /// Whether anything is being loaded.
    package var isLoading = false
    /// How long it takes already, in seconds.
    package var loadingTime: TimeInterval = 0
    /// How far the load is, from 0 to 1.
    package var progress = 0.0
    /// The wait that ends first; nil if no request waits.
    package var wait: Wait?
    /// The first failure, if any.
    package var failure: Failure?
    /// The age of the oldest data, in seconds; nil without data.
    package var age: TimeInterval?
    /// How many answers there were of each kind.
    package var answers: [Answer: Int] = [:]
    /// How long the slowest answer took, in seconds; nil if there was none.
    package var duration: TimeInterval?
}

extension LoadStatus.Failure {
    /// - Parameter now: The wall time, in seconds since the reference date.
    init(_ error: RequestError, now: TimeInterval) {
        let wait = error.retryAfter.map { error.timestamp + $0 - now } ?? 0
        let isRefusal = error.cause is RequestError.Cause.ServerUnavailable
        self.init(
            message: isRefusal ? "The rate limit is used up" : error.userMessage, statusCode: error.httpStatusCode,
            retryAfter: wait > 0 ? wait : nil)
    }
}

extension LoadStatus.Wait {
    /// - Parameter now: The wall time, in seconds since the reference date.
    init(_ retry: Resource.Retry, now: TimeInterval) {
        let seconds = retry.date.map { max(0, $0.timeIntervalSinceReferenceDate - now) } ?? 0
        switch retry.reason {
        case .offline: self = .network
        case .rate, .concurrency: self = .turn
        case .server: self = .rateLimit(seconds)
        case .status where retry.error?.isRateLimit == true: self = .rateLimit(seconds)
        case .connection, .status, .other:
            let failure =
                retry.error.map { LoadStatus.Failure($0, now: now) } ?? LoadStatus.Failure(message: "", statusCode: nil)
            self = .retry(seconds, number: retry.number, limit: retry.limit, after: failure)
        }
    }
}
