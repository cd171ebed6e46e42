import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

/// Several loads at once, with responses in any order.
@MainActor @Suite(.timeLimit(.test))
struct AnswerOrderTests {
    private let stub = StubbedResource(standardTransformers: [])
    private let recorder = ObserverRecorder()
    private var resource: Resource { stub.resource }
    private var content: String? { (resource.latestData?.content as? Data).map { String(decoding: $0, as: UTF8.self) } }

    @Test func `The answer to an earlier load does not replace that to a later one; its own hooks still get it`()
        async throws
    {
        let loads = startLoads(2)
        var texts: [String] = []
        loads[0].onNewData { texts.append(String(decoding: $0.content as? Data ?? Data(), as: UTF8.self)) }
        try await answer(1, with: .text("later"))
        try await answer(0, with: .text("earlier"))
        #expect(content == "later")
        #expect(texts == ["earlier"])
        #expect(recorder.events == [.observerAdded, .requested, .requested, .newData(.network), .notModified])
    }

    @Test func `Answers that come in the order of their loads are all shown`() async throws {
        startLoads(3)
        for index in 0..<3 {
            try await answer(index, with: .text("\(index)"))
            #expect(content == "\(index)")
            #expect(resource.loadRequests.count == 2 - index)
        }
    }

    @Test func `An earlier load's failure does not follow a later one's success`() async throws {
        startLoads(2)
        try await answer(1, with: .text("later"))
        try await answer(0, with: .response(500))
        #expect(resource.latestError == nil)
        #expect(recorder.events.last == .notModified)
    }

    @Test func `An earlier load's success follows a later one's failure, and clears it`() async throws {
        startLoads(2)
        try await answer(1, with: .response(500))
        try await answer(0, with: .text("earlier"))
        #expect(resource.latestError == nil)
        #expect(content == "earlier")
    }

    @Test func `Cancelling one of several loads leaves the others`() async throws {
        let loads = startLoads(2)
        loads[1].cancel()
        try await answer(0, with: .text("first"))
        #expect(content == "first")
    }

    @Test func `An overtaken answer neither makes the data younger nor ends an invalidation`() async throws {
        startLoads(2)
        try await answer(1, with: .text("later"))
        let timestamp = resource.timestamp
        stub.clock.advance(by: 40)
        try await answer(0, with: .text("earlier"))
        #expect(resource.timestamp == timestamp)
        #expect(!resource.isUpToDate)
    }

    @Test func `A load replaces an override that was made while it ran`() async throws {
        startLoads(1)
        resource.overrideLocalContent(with: "mine")
        try await answer(0, with: .text("loaded"))
        #expect(content == "loaded")
    }

    @Test func `A failed load keeps an override that was made while it ran`() async throws {
        startLoads(1)
        resource.overrideLocalContent(with: "mine")
        try await answer(0, with: .response(500))
        #expect(resource.latestData?.content as? String == "mine")
        #expect(resource.latestError?.httpStatusCode == 500)
    }

    @discardableResult
    private func startLoads(_ count: Int) -> [any Request] {
        resource.addObserver(recorder)
        stub.network.answer(.get, "/thing", with: .held)
        return (0..<count).map { _ in resource.load() }
    }

    private func answer(_ index: Int, with answer: StubAnswer) async throws {
        try stub.exchange(index).respond(with: answer)
        await mainQueueTurn()
    }
}
