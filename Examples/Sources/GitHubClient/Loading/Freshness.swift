package import Foundation

/// The age and the origin of the data of a screen, gathered from all of its resources.
package struct Freshness: Equatable, Sendable {
    /// The origin of data.
    package enum Origin: Int, CaseIterable, Sendable {
        /// New data from the server.
        case network
        /// A 304: the server has confirmed that the data in memory is current.
        case notModified
        /// The data was in memory and fresh, so nothing was sent.
        case memory
        /// The data was kept since an earlier start, so nothing was sent.
        case cache
        /// The app itself has changed the data.
        case local
    }

    /// The age of the oldest data, in seconds; nil without data.
    package var age: TimeInterval?
    /// The number of resources with data of each origin.
    package var origins: [Origin: Int] = [:]
    /// The time that the slowest response took, in seconds; nil if there was none.
    package var duration: TimeInterval?
    /// True if the last load of a resource failed, so that its data may be outdated.
    package var hasFailed = false
}
