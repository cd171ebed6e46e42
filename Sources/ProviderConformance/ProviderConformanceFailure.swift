import Foundation
package import SiestaTesting

/// The error of a provider that violates rules.
package struct ProviderConformanceFailure: LocalizedError, CustomStringConvertible, Sendable {
    /// The violated rules, and what was found instead.
    package let violations: [ConformanceViolation]

    /// The violations, one in each line.
    package var description: String {
        let count = violations.count == 1 ? "1 rule" : "\(violations.count) rules"
        return (["The provider violates \(count):"] + violations.map(\.description)).joined(separator: "\n")
    }

    /// The same text as ``description``.
    package var errorDescription: String? { description }
}
