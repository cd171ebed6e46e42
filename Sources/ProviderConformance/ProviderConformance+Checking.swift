public import SiestaCore
public import SiestaTesting

extension ProviderConformance {
    /// The rules, each in one sentence, in the order in which they are checked.
    public static var rules: [String] { all.map(\.description) }

    /// Checks all rules, and throws an error that lists the violations if a provider violates any of them. This takes
    /// about 20 seconds.
    ///
    /// - Parameter makeProvider: Creates a provider. It is called for each rule.
    @MainActor
    public static func check(makeProvider: () throws -> any NetworkingProvider) async throws {
        let violations = await violations(of: makeProvider)
        if !violations.isEmpty { throw ProviderConformanceFailure(violations: violations) }
    }

    /// Checks rules. Returns the violated ones; empty if no rule is violated.
    ///
    /// Each rule is checked with a new provider and a new server. If the task is cancelled, the checks end after the
    /// current rule.
    ///
    /// - Parameters:
    ///   - reportsProgress: False for a provider that does not know the progress of a running transfer. The rules that
    ///     need it are not checked then. The default is true.
    ///   - excluding: Rules that are not checked, as in ``rules``. An unknown rule counts as a violation.
    ///   - timeLimit: The real time after which a rule counts as violated because a request has not completed. The
    ///     default is 60 seconds.
    ///   - makeProvider: Creates a provider. It is called for each rule.
    @MainActor
    public static func violations(
        reportsProgress: Bool = true, excluding: Set<String> = [], timeLimit: Duration = .seconds(60),
        of makeProvider: () throws -> any NetworkingProvider
    ) async -> [ConformanceViolation] {
        let unknown = excluding.subtracting(rules).sorted()
        var violations = unknown.map { ConformanceViolation(rule: $0, finding: "there is no such rule to exclude") }
        let cases = reportsProgress ? all : withoutProgress
        for rule in cases where !excluding.contains(rule.description) && !Task.isCancelled {
            do {
                let bench = ConformanceBench(try makeProvider())
                bench.timeout = timeLimit
                try await rule.run(on: bench)
            } catch {
                violations.append(ConformanceViolation(rule: rule.description, finding: "\(error)"))
            }
        }
        return violations
    }
}
