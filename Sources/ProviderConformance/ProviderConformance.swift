import LoopbackServer
import Waiting

/// A test suite that checks whether a provider meets the requirements of ``Siesta/NetworkingProvider``. The suite needs
/// no test framework. Run it on a provider that you implement:
///
/// <!-- sample: not run, because the provider is code of the app -->
///
///     try await ProviderConformance.check { MyProvider() }
///
/// The checks start a scripted server in this process, on a loopback address. To exclude rules, or to use another time
/// limit, call ``violations(reportsProgress:excluding:timeLimit:of:)``.
public enum ProviderConformance: Sendable {
    /// All cases, for providers that send requests over a network.
    package static let all: [Case] =
        seam + requests + responses + responseHeaders + encodings + redirects + failures + timeouts + cancellation
        + concurrency

    /// The cases for providers that do not know the progress of a running transfer.
    package static let withoutProgress = all.filter { !$0.needsProgress }

    // A case uses a scripted server in this process, and throws a `Violation` if the provider under test breaks a rule.
    // The cases for test doubles need no server: they check only the calls between the library and the provider.

    /// The cases that also apply to a test double without a network.
    package static let forDoubles: [Case] = seam

    /// One rule.
    package struct Case: Sendable, CustomStringConvertible {
        /// The rule in one sentence.
        package let description: String

        /// True if the case reads the progress of a running transfer.
        package let needsProgress: Bool

        private let body: @MainActor @Sendable (ConformanceBench) async throws -> Void

        init(
            _ description: String, needsProgress: Bool = false,
            _ body: @escaping @MainActor @Sendable (ConformanceBench) async throws -> Void
        ) {
            self.description = description
            self.needsProgress = needsProgress
            self.body = body
        }

        /// Tests the provider of `bench` against the rule. A request that does not complete in time also breaks the
        /// rule.
        @MainActor
        package func run(on bench: ConformanceBench) async throws {
            let body = body
            let isOver = Gate()
            defer { isOver.open() }
            Moment.after(bench.timeout) { [weak bench] in
                guard !isOver.isOpen else { return }
                Task { @MainActor in bench?.giveUp() }
            }
            try await body(bench)
            try bench.checkCompletions()
        }
    }

    /// A broken rule.
    package struct Violation: Error, CustomStringConvertible {
        package let description: String
    }
}
