import CacheTorture
import Foundation
import SiestaCore
import SiestaTesting
import TestKit
import Testing
import Waiting

@testable import SiestaLive

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Live resources over a network whose loads and streams are delayed, refused, cut and lost.
@MainActor
@Suite(.timeLimit(.model))
struct LiveFaultTests {
    private let owner = Owner()

    @Test(arguments: TestSeed.cases(TestLevel.count(20, nightly: 100, soak: 500)))
    func `After the faults, a live resource is as the server has it`(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let (clock, stub) = (TestClock(), StubNetwork())
        let network = FaultyNetwork(stub, seed: seed, rates: .severe)
        let service = clock.whileCurrent { Service(baseURL: "https://api.test", networking: network) }
        service.configure("/orders/*") { $0.live = .eventSource("/events", update: LiveService.update) }
        service.decode("/orders/*", as: LiveService.Order.self)
        var version = 1
        stub.handler = { request in
            if request.url?.path == "/events" { return .stream() }
            return .json(#"{"state":"s","count":\#(version)}"#, headers: ["ETag": "\"\(version)\""])
        }
        let order = service.resource("/orders/1")
        var shown = 0
        order.addObserver(owner: owner) { order, _ in
            guard let count = order.order?.count else { return }
            #expect(count >= shown)
            shown = count
        }
        for _ in 0..<40 {
            if !order.state.hasData, !order.isLoading { order.load() }
            version += 1
            let update =
                Bool.random(using: &random)
                ? #"replace \#(version) - {"state":"s","count":\#(version)}"#
                : #"merge \#(version) \#(version - 1) {"count":\#(version)}"#
            stub.exchanges.last { $0.isStreaming }?.send("event: 1\ndata: \(update)\n\n")
            for _ in 0..<Int.random(in: 0..<6, using: &random) { await mainQueueTurn() }
            clock.advance(by: Double.random(in: 0...8, using: &random))
        }
        network.isEnabled = false
        try await Poll.until {
            clock.advance(by: 1)
            if !order.state.hasData, !order.isLoading { order.load() }
            return order.order?.count == version && order.live.isLive
        }
    }
}
