import Isolation
import SiestaCore

/// A rule that an implementation violates, and the evidence.
public struct ConformanceViolation: Equatable, Sendable, CustomStringConvertible {
    /// The violated rule, as a sentence.
    public let rule: String
    /// The observed behavior that violates the rule.
    public let finding: String

    package init(rule: String, finding: String) {
        self.rule = rule
        self.finding = finding
    }

    /// The rule and the finding.
    public var description: String { "\(rule): \(finding)" }
}

/// Collects the violations that the checks of one suite find.
final class ConformanceReport: Sendable {
    private let found = Locked<[ConformanceViolation]>([])

    var violations: [ConformanceViolation] { found.withLock { $0 } }

    func fail(_ rule: String, _ finding: String) {
        found.withLock { $0.append(ConformanceViolation(rule: rule, finding: finding)) }
    }

    func check<Value: Equatable>(_ rule: String, _ actual: Value, _ expected: Value) {
        if actual != expected { fail(rule, "\(Self.short(actual)) instead of \(Self.short(expected))") }
    }

    /// Runs checks. If they throw, the rule also counts as violated.
    func run(_ rule: String, _ checks: () async throws -> Void) async {
        do {
            try await checks()
        } catch {
            fail(rule, "it throws \(error)")
        }
    }

    private static func short(_ value: Any) -> String {
        let text = String(describing: value)
        return text.count < 200 ? text : text.prefix(200) + "…"
    }
}
