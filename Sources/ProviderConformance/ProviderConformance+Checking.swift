public import SiestaCore
public import SiestaTesting

extension ProviderConformance {
    /// The rules, each in one sentence, in the order in which they are checked.
    public static var rules: [String] { all.map(\.description) }

    /// Checks a provider against all rules. If the provider violates any of them, throws an error that lists the
    /// violations. The checks take about 20 seconds.
    ///
    /// - Parameter makeProvider: A closure that creates a provider. It is called once for each rule.
    @MainActor
    public static func check(makeProvider: () throws -> any NetworkingProvider) async throws {
        let violations = await violations(of: makeProvider)
        if !violations.isEmpty { throw ProviderConformanceFailure(violations: violations) }
    }

    /// Checks a provider against the rules, and returns the violations. The array is empty if the provider violates no
    /// rule.
    ///
    /// Each rule is checked with a new provider and a new server. If the task is cancelled, the checks end after the
    /// current rule.
    ///
    /// - Parameters:
    ///   - reportsProgress: False if the provider does not know the progress of a running transfer. Rules about this
    ///     progress are then not checked. The default is true.
    ///   - excluding: The sentences of the rules that are not checked, exactly as in ``rules``. A sentence that is not
    ///     in ``rules`` is reported as a violation.
    ///   - timeLimit: The real time that the check of one rule may take. If a request has not completed by then, the
    ///     rule counts as violated. The default is 60 seconds.
    ///   - makeProvider: A closure that creates a provider. It is called once for each rule.
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
