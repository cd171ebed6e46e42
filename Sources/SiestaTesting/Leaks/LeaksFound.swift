public import Foundation

/// The error of ``LeakCheck/expectNoLeaks(_:_:)``.
public struct LeaksFound: LocalizedError, CustomStringConvertible, Sendable {
    /// The leaks.
    public let leaks: LeakCheck

    /// The leaks, one in each line, and what to look for.
    public var description: String {
        "\(leaks)\nLook for reference cycles of the owners, and for a call of removeObservers(ownedBy:) that is missing."
    }

    /// The same text as ``description``.
    public var errorDescription: String? { description }
}
