import Foundation
import Isolation
import ProviderConformance
import SiestaCore
import SiestaTesting
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The checks of providers, as an app calls them.
@MainActor @Suite(.timeLimit(.model))
struct ProviderConformanceCheckTests {
    /// A provider that changes what another provider does.
    private struct Faulty: NetworkingProvider {
        let change: @Sendable (@escaping RequestNetworkingCompletionCallback) -> RequestNetworkingCompletionCallback

        func startRequest(
            _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
        ) -> any RequestNetworking {
            DefaultNetworking().siestaNetworkingProvider.startRequest(request, completion: change(completion))
        }
    }

    private static let most = Set(ProviderConformance.rules.dropFirst(8))

    #if os(Linux)
    @Test(.enabled(if: TestLevel.current >= .nightly, "the next test includes this one"))
    func `The default of the platform violates no rule`() async throws {
        try await ProviderConformance.check { DefaultNetworking().siestaNetworkingProvider }
    }

    @Test func `A faulty network without faults violates no rule`() async throws {
        try await ProviderConformance.check {
            FaultyNetwork(DefaultNetworking(), seed: 1, rates: .none).siestaNetworkingProvider
        }
    }
    #endif

    @Test func `A provider that completes twice is found`() async throws {
        let failure = await #expect(throws: ProviderConformanceFailure.self) {
            try await ProviderConformance.check {
                Faulty { completion in
                    {
                        completion($0, $1, $2)
                        completion($0, $1, $2)
                    }
                }
            }
        }
        let violations = try #require(failure).violations
        #expect(violations.count > 30)
        #expect(violations.contains { $0.finding.contains("the number of completions") })
        #expect(failure?.description.hasPrefix("The provider violates \(violations.count) rules:\n") == true)
    }

    @Test func `A provider that loses bodies is found, unless the rules are excluded`() async throws {
        func violations(excluding: Set<String>) async -> [ConformanceViolation] {
            await ProviderConformance.violations(reportsProgress: false, excluding: excluding) {
                Faulty { completion in { response, _, error in completion(response, nil, error) } }
            }
        }
        let all = await violations(excluding: Self.most)
        #expect(!all.isEmpty)
        let rest = await violations(excluding: Self.most.union(all.map(\.rule)))
        #expect(rest.isEmpty)
    }

    @Test func `A request that never completes violates its rule after the time limit`() async throws {
        let rule = try #require(ProviderConformance.rules.first)
        let violations = await ProviderConformance.violations(
            excluding: Set(ProviderConformance.rules.dropFirst()), timeLimit: .milliseconds(50)
        ) {
            Faulty { _ in { _, _, _ in } }
        }
        #expect(violations.map(\.rule) == [rule])
        #expect(violations.first?.finding.contains("was not completed in time") == true)
    }

    @Test func `An excluded rule must exist, and a provider must be made`() async throws {
        struct Refused: Error {}
        let violations = await ProviderConformance.violations(
            excluding: Set(ProviderConformance.rules.dropFirst()).union(["No such rule"])
        ) { throw Refused() }
        #expect(violations.map(\.finding) == ["there is no such rule to exclude", "Refused()"])
    }
}
