import Foundation

/// How things stand with the data of a screen, gathered from all of its resources.
struct LoadStatus: Equatable, Sendable {
    /// Where the data came from.
    enum Answer: Int, CaseIterable, Sendable {
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
    struct Failure: Equatable, Sendable {
        let message: String
        let statusCode: Int?
    }

    /// Whether anything is being loaded.
    var isLoading = false
    /// How long it takes already, in seconds.
    var loadingTime: TimeInterval = 0
    /// How far the load is, from 0 to 1.
    var progress = 0.0
    /// The first failure, if any.
    var failure: Failure?
    /// The age of the oldest data, in seconds; nil without data.
    var age: TimeInterval?
    /// How many answers there were of each kind.
    var answers: [Answer: Int] = [:]
    /// How long the slowest answer took, in seconds; nil if there was none.
    var duration: TimeInterval?
}
