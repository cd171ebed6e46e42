package import Foundation
import SiestaCore

extension FaultyNetwork {
    /// The decision for one request.
    package struct LogEntry: Sendable, CustomStringConvertible {
        /// The number of the request at this network, from 1. The count includes requests without a decision.
        package let number: Int
        /// The method in upper case.
        package let method: String
        /// The absolute URL. The URL may contain secrets, and ``description`` omits them.
        package let url: String
        /// The number of the request among the requests with the same method and URL, from 1.
        package let occurrence: Int
        /// The monotonic time of the network's clock at the start of the request, in seconds.
        package let time: TimeInterval
        /// The faults.
        package let decision: FaultDecision

        /// The number, the request and its faults: `3 GET https://api.example.com/users (1): request lost (timedOut)`.
        package var description: String {
            PreparedText.line("\(number) \(method) \(PreparedText.url(url)) (\(occurrence)): \(decision)")
        }
    }
}
