import Foundation

extension RetryModel {
    /// What is known about the sendings of one request.
    struct Known {
        var sendings: [Int] = []
        var retryCount = 0
        /// The earliest time of the next sending; nil if there must be none.
        var nextTime: TimeInterval?
        /// True if the next sending waits for the network.
        var isOffline = false
        /// The time at which the request stops to wait for the network; nil before it waits.
        var offlineEnd: TimeInterval?
        /// The time at which the next sending was decided.
        var decisionTime: TimeInterval = 0
        /// True if the budget may have refused the next sending.
        var mayLackBudget = false
        /// The time at which the request was made.
        var made: TimeInterval = 0
        var isCancelled = false
    }
}
