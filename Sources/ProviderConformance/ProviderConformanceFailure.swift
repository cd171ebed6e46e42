public import Foundation
public import SiestaTesting

/// The error of a provider that violates rules.
public struct ProviderConformanceFailure: LocalizedError, CustomStringConvertible, Sendable {
    /// The violated rules, and what was found instead.
    public let violations: [ConformanceViolation]

    /// The violations, one in each line.
    public var description: String {
        let count = violations.count == 1 ? "1 rule" : "\(violations.count) rules"
        return (["The provider violates \(count):"] + violations.map(\.description)).joined(separator: "\n")
    }

    /// The same text as ``description``.
    public var errorDescription: String? { description }
}
