import Foundation
import Siesta
import SiestaTesting
import Testing

/// Networks around networks that wait for timers.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct WrappedTimerTests {
    private let clock = TestClock()
    private let stub = StubNetwork()

    @Test func `A network of faults around another one, or around a replay, does not hide its timers`() async throws {
        var rates = FaultRates.none
        (rates.delay, rates.delaySeconds) = (1, 10...10)
        let entry = HARArchive.Entry(
            request: .init(method: "GET", url: "http://wrapped.test/a"), response: .init(status: 200), time: 10)
        stub.handler = { _ in .json("{}") }
        let inner: [any NetworkingProviderConvertible] = [
            FaultyNetwork(stub, seed: 1, rates: rates), HARReplay(HARArchive(entries: [entry]), timing: .recorded),
        ]
        for network in inner {
            let outer = FaultyNetwork(network, seed: 1, rates: .none)
            let service = clock.whileCurrent { Service(baseURL: "http://wrapped.test", networking: outer) }
            let request = service.resource("/a").load()
            try await service.settled(timeLimit: .seconds(3))
            #expect(!request.isCompleted)
            try await clock.advanceUntilSettled(service)
            #expect(request.isCompleted)
        }
    }

    @Test func `A recorder around a network of faults does not hide its timers`() async throws {
        stub.handler = { _ in .json("{}") }
        var rates = FaultRates.none
        (rates.delay, rates.delaySeconds) = (1, 10...10)
        let recorder = HARRecorder(around: FaultyNetwork(stub, seed: 1, rates: rates))
        let service = clock.whileCurrent { Service(baseURL: "http://wrapped.test", networking: recorder) }
        recorder.start()
        let request = service.resource("/a").load()
        try await service.settled(timeLimit: .seconds(3))
        #expect(!request.isCompleted)
        try await clock.advanceUntilSettled(service)
        #expect(request.isCompleted)
        #expect(recorder.archive.entries.count == 1)
    }
}
