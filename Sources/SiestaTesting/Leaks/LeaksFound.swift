public import Foundation

/// The error of ``LeakCheck/expectNoLeaks(_:_:)``.
public struct LeaksFound: LocalizedError, CustomStringConvertible, Sendable {
    /// The leaks.
    public let leaks: LeakCheck

    /// The leaks, one in each line, and hints about their causes.
    public var description: String {
        let advice = "Look for reference cycles of the owners, and for a missing call of removeObservers(ownedBy:)."
        return "\(leaks)\n\(advice)"
    }

    /// The same text as ``description``.
    public var errorDescription: String? { description }
}
