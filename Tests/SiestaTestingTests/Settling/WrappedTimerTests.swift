import Foundation
import SiestaCore
import SiestaTesting
import SiestaTransfers
import TestKit
import Testing

/// Networks around networks that wait for timers.
@MainActor @Suite(.timeLimit(.test))
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

    @Test(arguments: [false, true])
    func `A delay of a response that is read in pieces is a timer`(isLost: Bool) async throws {
        var rates = FaultRates.none
        (rates.delay, rates.delaySeconds, rates.lostResponse) = (1, 10...10, isLost ? 1 : 0)
        let entry = HARArchive.Entry(
            request: .init(method: "GET", url: "http://wrapped.test/a"),
            response: .init(status: 200, body: .init(Data("12345".utf8))))
        let network = FaultyNetwork(HARReplay(HARArchive(entries: [entry])), seed: 1, rates: rates)
        let service = clock.whileCurrent { Service(baseURL: "http://wrapped.test", networking: network) }
        let reading = Task {
            var count = 0
            for try await piece in service.resource("/a").bytes { count += piece.count }
            return count
        }
        try await clock.waitForTimers(1)
        try await service.settled(timeLimit: .seconds(3))
        try await clock.advanceUntilSettled(service)
        let count = try? await reading.value
        #expect(count == (isLost ? nil : 5))
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
