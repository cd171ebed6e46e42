import SiestaCore
import SiestaTesting
import TestKit
import Testing

@testable import SiestaInspector

/// The network of an inspector in tests with a clock.
@MainActor @Suite(.timeLimit(.test))
struct NetworkTimerTests {
    private let clock = TestClock()
    private let stub = StubNetwork()

    private func check(_ network: InspectorNetwork, _ prepare: (NetworkControl) -> Void) async throws {
        stub.handler = { _ in .json("{}") }
        let service = clock.whileCurrent { Service(baseURL: "https://api.test", networking: network) }
        prepare(try #require(service.interceptor as? NetworkControl))
        let request = service.resource("/a").load()
        try await service.settled(timeLimit: .seconds(5))
        #expect(!request.isCompleted)
        try await clock.advanceUntilSettled(service)
        #expect(request.isCompleted)
        #expect(service.resource("/a").latestError == nil)
    }

    @Test func `a delay of the page is a timer`() async throws {
        try await check(InspectorNetwork(around: stub)) { $0.switches.delay = 10 }
    }

    @Test(arguments: [false, true])
    func `a network of faults has its timers and the clock of the service`(isRecording: Bool) async throws {
        var rates = FaultRates.none
        (rates.delay, rates.delaySeconds) = (1, 10...10)
        try await check(InspectorNetwork(around: FaultyNetwork(stub, seed: 1, rates: rates))) {
            if isRecording { $0.recorder?.start() }
        }
    }
}
