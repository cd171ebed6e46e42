import Foundation
import ProviderConformance
import SiestaTesting
import Testing

@testable import Siesta

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Every provider of this package, held to the same promises.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct ProviderConformanceTests {
    #if os(Linux)
    @Test("libcurl", arguments: ProviderConformance.all)
    func curl(_ promise: ProviderConformance.Case) async throws {
        try await promise.run(on: ConformanceBench(CurlProvider()))
    }

    @Test("The default of the platform", arguments: ProviderConformance.forDoubles)
    func platform(_ promise: ProviderConformance.Case) async throws {
        try await promise.run(on: ConformanceBench(DefaultNetworking().siestaNetworkingProvider))
    }
    #endif

    @Test("URLSession", arguments: ProviderConformance.all.filter { Self.fatal[$0.description] == nil })
    func session(_ promise: ProviderConformance.Case) async throws {
        let bench = ConformanceBench(URLSessionConfiguration.ephemeral.siestaNetworkingProvider)
        if let reason = Self.failing[promise.description] {
            bench.patience = .seconds(8)
            await withKnownIssue("\(reason)") { try await promise.run(on: bench) }
        } else {
            try await promise.run(on: bench)
        }
    }

    @Test("The stub", arguments: ProviderConformance.forDoubles)
    func stub(_ promise: ProviderConformance.Case) async throws {
        let network = StubNetwork()
        let bench = ConformanceBench(network) { offer in
            let path = "/\(UUID().uuidString)"
            network.answer(.get, path, with: StubAnswer(offer))
            return try #require(URL(string: "http://stub.test\(path)"))
        }
        try await promise.run(on: bench)
    }

    @Test("Every exception is about a promise that there is")
    func exceptions() {
        let promises = Set(ProviderConformance.all.map(\.description))
        #expect(promises.count == ProviderConformance.all.count)
        #expect(promises.isSuperset(of: Set(Self.failing.keys).union(Self.fatal.keys)))
    }

    #if os(Linux)
    /// What `URLSession` of Linux breaks and cannot be helped with; it is an error if it does not.
    nonisolated static let failing: [String: String] = [:]

    /// What would end the process or never return, and is not tried.
    nonisolated static let fatal: [String: String] = [
        "Trailers after a chunked body do no harm": "Trailers trap",
        "A redirect to an IPv6 address is followed": "A Location that begins with //[::1] traps",
    ]
    #else
    nonisolated static let failing: [String: String] = [:]
    nonisolated static let fatal: [String: String] = [:]
    #endif
}

extension StubAnswer {
    fileprivate init(_ offer: ConformanceBench.Offer) {
        self =
            switch offer {
            case .response(let status, let headers, let body): .response(status, headers: headers, body: body)
            case .failure: .failure(.networkConnectionLost)
            case .silence: .held
            }
    }
}

extension ProviderConformance.Case: CustomTestStringConvertible {
    public var testDescription: String { description }
}
