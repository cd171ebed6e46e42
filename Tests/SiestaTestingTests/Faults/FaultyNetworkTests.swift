import Foundation
import Isolation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The faults of a network, carried out.
@MainActor @Suite(.timeLimit(.test))
struct FaultyNetworkTests {
    private let clock = TestClock()
    private let stub = StubNetwork()
    private let network: FaultyNetwork
    private let service: Service

    init() {
        let network = FaultyNetwork(stub, seed: 1, rates: .none)
        self.network = network
        service = TestClock.service(clock, network)
        stub.handler = { _ in .text("0123456789", headers: ["Content-Length": "10"]) }
    }

    /// Sets one rate to 1, and loads a resource.
    private func load(
        _ rate: WritableKeyPath<FaultRates, Double>, path: String = "/x", seed: UInt64 = 1
    ) async throws -> ResponseInfo {
        network.plan.seed = seed
        network.rates[keyPath: rate] = 1
        let request = service.resource(path).load()
        try await clock.advanceUntilSettled(service)
        return await request.completion()
    }

    private func cause(_ info: ResponseInfo) -> URLError.Code? {
        guard case .failure(let error) = info.response else { return nil }
        return (error.cause as? URLError)?.code
    }

    private func text(_ info: ResponseInfo) -> String? {
        guard case .success(let entity) = info.response else { return nil }
        return entity.typedContent()
    }

    @Test func `Without faults the network is the other network`() async throws {
        let request = service.resource("/x").load()
        #expect(text(await request.completion()) == "0123456789")
        #expect(clock.timers.isEmpty)
        #expect(network.log == ["1 GET http://faults.test/x (1): no fault"])
    }

    @Test func `A delay passes on the clock of the service`() async throws {
        network.rates.delay = 1
        let resource = service.resource("/x")
        resource.load()
        #expect(stub.requests.isEmpty)
        try await service.settled()
        #expect(resource.isLoading)
        let decision = try #require(network.entries.first?.decision)
        clock.advance(by: decision.requestDelay)
        #expect(stub.requests.count == 1)
        try await service.settled()
        #expect(resource.isLoading)
        clock.advance(by: decision.responseDelay)
        try await service.settled()
        #expect(resource.latestData?.text == "0123456789")
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `A lost request never arrives, and fails in one of two ways`(_ seed: UInt64) async throws {
        let info = try await load(\.lostRequest, seed: seed)
        #expect(stub.requests.isEmpty)
        let isTimeout = network.entries[0].decision.fault == .lostRequest(.timedOut)
        #expect(cause(info) == (isTimeout ? .timedOut : .networkConnectionLost))
        #expect(isTimeout == (clock.wallTime > 800_000_009))
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `The server receives the request whose response is lost`(_ seed: UInt64) async throws {
        let info = try await load(\.lostResponse, seed: seed)
        #expect(stub.requests.count == 1)
        #expect([.timedOut, .networkConnectionLost].contains(cause(info)))
    }

    @Test func `A burst of server errors does not reach the server`() async throws {
        let info = try await load(\.burst)
        #expect(stub.requests.isEmpty)
        guard case .failure(let error) = info.response else { return #expect(Bool(false)) as Void }
        #expect([500, 502, 503, 504].contains(error.httpStatusCode))
    }

    @Test func `Some server errors say when to come back`() async throws {
        network.rates.burst = 1
        for _ in 0..<20 { await service.resource("/x").request(.get).completion() }
        let faults = network.entries.compactMap(\.decision.fault)
        let pauses = faults.compactMap { if case .serverError(_, let pause) = $0 { pause } else { nil } }
        #expect(faults.count == 20)
        #expect((1..<20).contains(pauses.count))
        #expect(pauses.allSatisfy { (1...4).contains($0) })
    }

    @Test func `A cut body is shorter, and has no length`() async throws {
        let info = try await load(\.cutBody)
        let found = try #require(text(info))
        #expect(found.count < 10)
        #expect("0123456789".hasPrefix(found))
        #expect(service.resource("/x").latestData?.header(forKey: "Content-Length") == nil)
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `A body of a wrong length differs from its field`(_ seed: UInt64) async throws {
        let info = try await load(\.wrongLength, seed: seed)
        let found = try #require(text(info))
        #expect(found.count != 10)
        #expect(service.resource("/x").latestData?.header(forKey: "Content-Length") == "10")
        #expect(found.hasPrefix("0123456789") || "0123456789".hasPrefix(found))
    }

    @Test func `A duplicated request arrives twice and completes once`() async throws {
        let info = try await load(\.duplicate)
        #expect(stub.requests.count == 2)
        #expect(text(info) == "0123456789")
    }

    @Test func `A response that is held back is passed by another, or comes after a second`() async throws {
        network.filter = { $0.url?.path == "/late" }
        network.rates.reorder = 1
        let (late, early) = (service.resource("/late"), service.resource("/early"))
        var order: [String] = []
        late.load().onCompletion { _ in order.append("late") }
        try await service.settled()
        #expect(late.isLoading)
        network.filter = { _ in true }
        network.rates.reorder = 0
        early.load().onCompletion { _ in order.append("early") }
        try await service.settled()
        clock.advance(by: 0)
        try await service.settled()
        #expect(order == ["early", "late"])
        network.rates.reorder = 1
        late.load().onCompletion { _ in order.append("alone") }
        try await service.settled()
        #expect(order.count == 2)
        clock.advance(by: 1)
        try await service.settled()
        #expect(order.last == "alone")
    }

    @Test func `A cancelled request completes once, wherever it is`() async throws {
        let rates: [WritableKeyPath<FaultRates, Double>] = [
            \.delay, \.lostRequest, \.lostResponse, \.reorder, \.duplicate, \.burst, \.cutBody,
        ]
        for rate in rates {
            for steps in 0..<3 {
                network.rates = .none
                network.rates[keyPath: rate] = 1
                let count = Locked(0)
                let url = try #require(URL(string: "http://faults.test/\(steps)"))
                let handle = network.siestaNetworkingProvider.startRequest(URLRequest(url: url)) { _, _, _ in
                    count.withLock { $0 += 1 }
                }
                for _ in 0..<steps { clock.advance(by: clock.timers.first ?? 0) }
                handle.cancel()
                handle.cancel()
                #expect(count.withLock { $0 } == 1)
                clock.advance(by: 100)
                #expect(count.withLock { $0 } == 1)
            }
        }
    }

    @Test func `A cancellation while the other network works is passed on`() async throws {
        stub.handler = { _ in .held }
        network.rates.duplicate = 1
        let request = service.resource("/x").load()
        #expect(stub.requests.count == 2)
        request.cancel()
        #expect(stub.exchanges.allSatisfy { $0.isCancelled })
    }

    @Test func `Faults can be limited and switched off, and keep their numbers`() async throws {
        let plan = FaultPlan(seed: 1, rates: .severe)
        network.plan = plan
        network.isEnabled = false
        service.resource("/x").load()
        network.isEnabled = true
        network.filter = { $0.url?.path == "/x" }
        service.resource("/y").load()
        _ = service.resource("/x").request(.get)
        try await clock.advanceUntilSettled(service)
        let decision = plan.decision(method: "GET", url: "http://faults.test/x", occurrence: 2)
        #expect(network.entries.map(\.decision) == [decision])
        #expect(network.entries.map(\.number) == [3])
        #expect(network.entries.map(\.occurrence) == [2])
    }

    @Test func `An unrelated request does not change the decisions for others`() async throws {
        func decisions(withOther: Bool) async throws -> [FaultDecision] {
            let network = FaultyNetwork(stub, seed: 4, rates: .severe)
            let service = TestClock.service(clock, network)
            for _ in 0..<10 {
                if withOther { _ = service.resource("/other").request(.get) }
                _ = service.resource("/x").request(.get)
            }
            try await clock.advanceUntilSettled(service)
            return network.entries.filter { $0.url.hasSuffix("/x") }.map(\.decision)
        }
        let (with, without) = (try await decisions(withOther: true), try await decisions(withOther: false))
        #expect(with == without)
    }

    @Test func `The log is bounded and hides secrets`() async throws {
        network.logLimit = 3
        for _ in 0..<5 { _ = service.resource("/x").withParam("token", "secret").load() }
        #expect(network.entries.map(\.number) == [3, 4, 5])
        #expect(!network.log[0].contains("secret"))
    }
}

extension TestClock {
    /// Returns a service on a faulty network, with the clock.
    @MainActor
    static func service(_ clock: TestClock, _ network: FaultyNetwork) -> Service {
        clock.whileCurrent { Service(baseURL: "http://faults.test", networking: network) }
    }
}
