package import Foundation

/// Whether the server pushes the changes of a resource's data, as views and tools show it.
package struct PushStatus: Sendable {
    package enum Phase: Sendable {
        /// A connection is being opened.
        case connecting
        /// The connection is open, and a load brings what has happened before.
        case catchingUp
        /// Each change of the data arrives.
        case current
        /// There is no connection. There will be another attempt.
        case interrupted
        /// There is no connection, and no attempt is planned.
        case ended
    }

    package let phase: Phase
    /// True if a connection was lost, and the data has not caught up since.
    package let isResuming: Bool
    /// The time since which the data is current, or the time of the next attempt.
    package let date: Date?
    /// The error because of which there is no connection.
    package let error: RequestError?

    package init(_ phase: Phase, isResuming: Bool = false, date: Date? = nil, error: RequestError? = nil) {
        (self.phase, self.isResuming, self.date, self.error) = (phase, isResuming, date, error)
    }
}

extension Resource {
    /// Whether the server pushes the changes of the data; nil if no feature asks for them.
    package var pushStatus: PushStatus? {
        for known in extensions {
            if let status = known.pushStatus { return status }
        }
        return nil
    }
}
