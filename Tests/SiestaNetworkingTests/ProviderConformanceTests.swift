import Foundation
import Isolation
import ProviderConformance

import SiestaTesting
import TestDoubles
import TestKit
import Testing

@testable import CurlTransport
@testable import SiestaCore
@testable import SiestaNetworking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
#if os(Linux)
#endif

/// The same rules, tested with every provider of this package.
@MainActor @Suite(.timeLimit(.model))
struct ProviderConformanceTests {
    #if os(Linux)
    @Test(arguments: ProviderConformance.all)
    func `libcurl`(_ promise: ProviderConformance.Case) async throws {
        var options = TransportOptions()
        options.hostOverrides["no-host-\(UUID().uuidString):1"] = "127.0.0.1"  // shares no connections with other tests
        try await promise.run(on: ConformanceBench(CurlProvider(options: options)))
    }

    /// The rules, or at the lowest level half of them, the other half every other day.
    private nonisolated static let withoutProgress = ProviderConformance.withoutProgress.enumerated().filter {
        TestLevel.current >= .nightly || $0.offset % 2 == Int(TestSeed.current) % 2
    }.map(\.element)

    @Test(arguments: withoutProgress)
    func `An async function over libcurl`(_ promise: ProviderConformance.Case) async throws {
        var options = TransportOptions()
        options.hostOverrides["no-host-\(UUID().uuidString):1"] = "127.0.0.1"
        let client = CurlProvider(options: options)
        let provider = AsyncNetworkingProvider { try await client.response(to: $0) }
        try await promise.run(on: ConformanceBench(provider))
    }

    @Test(arguments: ProviderConformance.forDoubles)
    func `The default of the platform`(_ promise: ProviderConformance.Case) async throws {
        try await promise.run(on: ConformanceBench(DefaultNetworking().siestaNetworkingProvider))
    }
    #endif

    @Test(
        arguments: ProviderConformance.all.filter { $0.description == ProcessInfo.processInfo.environment["PROMISE"] })
    func `URLSession`(_ promise: ProviderConformance.Case) async throws {
        let bench = ConformanceBench(URLSessionConfiguration.ephemeral.siestaNetworkingProvider)
        if let reason = Self.failing[promise.description] {
            bench.timeout = .seconds(8)
            await withKnownIssue("\(reason)") { try await promise.run(on: bench) }
        } else {
            try await promise.run(on: bench)
        }
    }

    @Test(arguments: ProviderConformance.forDoubles)
    func `The stub`(_ promise: ProviderConformance.Case) async throws {
        let network = StubNetwork()
        let bench = ConformanceBench(network) { offer in
            let path = "/\(UUID().uuidString)"
            network.answer(.get, path, with: StubAnswer(offer))
            return try #require(URL(string: "http://stub.test\(path)"))
        }
        try await promise.run(on: bench)
    }

    @Test func `Every exception is about a promise that there is`() {
        let promises = Set(ProviderConformance.all.map(\.description))
        #expect(promises.count == ProviderConformance.all.count)
        #expect(promises.isSuperset(of: Set(Self.failing.keys).union(Self.fatal.keys)))
    }

    #if os(Linux)
    /// The rules that `URLSession` on Linux breaks and that the library cannot restore. If a rule holds, the test
    /// fails.
    nonisolated static let failing = [
        "An IPv6 address works as a host": "Addresses in brackets are never connected to",
        "A redirect to an IPv6 address is followed": "Addresses in brackets are never connected to",
        "Repeated fields are joined in their order": "Names that differ in case are different fields",
        "A value that is Latin-1 does not cost the response": "A header that is not UTF-8 loses the response",
        "White space around a value may be missing or more": "A field without a blank after its colon is lost",
        "A value may be empty": "A field without a value is lost",
        "A status line needs no reason phrase": "A status line without a reason phrase loses the response",
    ]

    /// The cases that would end the process or never return. They are not run.
    nonisolated static let fatal = [
        "Trailers after a chunked body do no harm": "Fatal error: Transfer completed, but there's no response.",
        "A connection that ends within the head is an error": "The same",
        "A reset is an error, wherever it comes": "The same, if it comes within the head",
    ]
    #else
    nonisolated static let failing: [String: String] = [:]
    nonisolated static let fatal: [String: String] = [:]
    #endif
}

#if os(Linux)
extension CurlProvider {
    /// Sends a request in the way of an HTTP client with async functions.
    fileprivate func response(to request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        let running = Locked<TransportTask?>(nil)
        let (transport, request) = (try transport.get(), try TransportRequest(request))
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let exchange = transport.start(request) { result in
                    continuation.resume(
                        with: Result {
                            let response = try result.get()
                            let fields = HeaderFields(response.head.headers.fields)
                            let head = NetworkResponse.Head(
                                status: response.head.status, fields: fields, url: response.head.url)
                            return (response.body, try #require(head.urlResponse))
                        }
                        .mapError { ($0 as? TransportError).map { URLError($0) } ?? $0 })
                }
                running.withLock { $0 = exchange }
                if Task.isCancelled { exchange.cancel() }
            }
        } onCancel: {
            running.withLock { $0 }?.cancel()
        }
    }
}
#endif

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
    /// The rule.
    public var testDescription: String { description }
}
