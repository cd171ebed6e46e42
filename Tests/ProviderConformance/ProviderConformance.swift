/// What every networking provider has to do right, as cases that need no test framework.
///
/// A case talks to a server of this process, scripted byte by byte, and throws a ``Violation`` if the provider under
/// test breaks its promise. The cases for doubles need no server: they only look at the seam itself.
package enum ProviderConformance {
    /// All cases, for providers that send what they are given over a network.
    package static let all: [Case] =
        seam + requests + responses + responseHeaders + encodings + redirects + failures + timeouts + cancellation
        + concurrency

    /// The cases that a double without a network can be held to.
    package static let forDoubles: [Case] = seam

    /// One promise.
    package struct Case: Sendable, CustomStringConvertible {
        /// The promise in a sentence.
        package let description: String

        private let body: @MainActor @Sendable (ConformanceBench) async throws -> Void

        init(_ description: String, _ body: @escaping @MainActor @Sendable (ConformanceBench) async throws -> Void) {
            self.description = description
            self.body = body
        }

        /// Holds the provider of `bench` to the promise; a request that does not complete in time breaks it, too.
        @MainActor
        package func run(on bench: ConformanceBench) async throws {
            let body = body
            let timer = Task { @MainActor in
                try? await Task.sleep(for: bench.patience)
                bench.giveUp()
            }
            defer { timer.cancel() }
            try await body(bench)
            try bench.checkCompletions()
        }
    }

    /// A broken promise.
    package struct Violation: Error, CustomStringConvertible {
        package let description: String
    }
}
