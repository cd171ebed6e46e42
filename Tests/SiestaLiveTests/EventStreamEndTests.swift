import Foundation
import Isolation
import SiestaCore
import SiestaSessions
import SiestaTesting
import TestDoubles
import TestKit
import Testing
import Waiting

@testable import SiestaLive

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Loops over events that arrive together, responses that are no streams, and identifiers that cannot be sent.
@MainActor @Suite(.timeLimit(.test))
struct EventStreamEndTests {
    private let owner = Owner()

    // MARK: Many events at once

    private static func events(_ count: Int) -> String { (0..<count).map { "data: \($0)\n\n" }.joined() }

    enum End: CaseIterable { case signIn, wipe, cancellation }

    @Test(arguments: End.allCases)
    func `Events that are not delivered yet are dropped at the end of a loop`(by end: End) async throws {
        let signing = SigningService()
        signing.network.handler = { _ in .stream() }
        try await signing.service.signIn("ada", with: Credential("ada"))
        var seen: [String] = []
        let loop = Task {
            for try await event in signing.resource.eventStream {
                seen.append(event.data)
                guard seen.count == 1 else { continue }
                switch end {
                case .signIn: try await signing.service.signIn("bob", with: Credential("bob"))
                case .wipe: signing.service.wipeResources(includingCaches: true)
                case .cancellation: withUnsafeCurrentTask { $0?.cancel() }
                }
            }
        }
        try await signing.network.exchange(1).send(Self.events(100))
        let error = await #expect(throws: RequestError.self) { try await loop.value }
        #expect(error?.isCancellation == true)
        #expect(seen == ["0"])
    }

    @Test func `A loop over very many events lets other work on the main actor run`() async throws {
        let turns = try await StubbedResource().turns(
            during: { $0.eventStream }, count: 10_000, sending: Self.events(10_000))
        #expect(turns >= 5)
    }

    // MARK: Responses that are no streams

    /// A part of the content, and a difference from other content.
    @Test(arguments: [206, 226])
    func `A response that was not asked for opens no stream`(status: Int) async throws {
        let stub = StubbedResource()
        stub.network.answer(.get, "/thing", with: .stream(status))
        let openings = Locked(0)
        let stream = stub.resource.eventStream.onOpen { _ in openings.withLock { $0 += 1 } }
        let error = await #expect(throws: RequestError.self) {
            for try await _ in stream {}
        }
        #expect(error?.code == .unrequestedResponse)
        #expect(openings.withLock { $0 } == 0)
    }

    /// Notes all states of a live resource.
    private final class StateRecorder: SilentChangeObserver {
        private(set) var states: [String] = []

        func resourceChanged(_ resource: Resource, event: ResourceEvent) {}

        func resourceChangedSilently(_ resource: Resource) { states.append(resource.live.description) }
    }

    @Test(arguments: [206, 226])
    func `After a response that was not asked for, a resource is not live`(status: Int) async throws {
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        live.send("1", #"replace 2 - {"state":"paid","count":0}"#, id: "5")
        try await Poll.until { order.order?.state == "paid" }
        live.network.answer(.get, "/events", with: .stream(status, headers: ["Last-Event-ID": "5"]))
        live.stream?.fail(.networkConnectionLost)
        try await Poll.until { order.live.description == "failed" }
        let recorder = StateRecorder()
        order.addObserver(recorder)
        try await live.reconnect()
        try await Poll.until { live.streamCount == 2 && order.live.description == "failed" }
        #expect(!recorder.states.contains("live"))
    }

    // MARK: Identifiers

    @Test(arguments: [" x", "x ", "\tx", "x\t"])
    func `After an event whose identifier cannot be sent, a new connection is followed by a load`(
        id: String
    ) async throws {
        let live = LiveService { $0.replaysMissedEvents = true }
        let order = try await live.observe(1, by: owner)
        live.send("1", #"replace 2 - {"state":"paid","count":0}"#, id: id)
        try await Poll.until { order.order?.state == "paid" }
        live.answer(1, "missed", version: 3)
        live.stream?.fail(.networkConnectionLost)
        try await Poll.until { !order.live.isLive }
        try await live.reconnect()
        try await Poll.until {
            live.clock.advance(by: 0.1)
            return order.live.isLive
        }
        #expect(order.order?.state == "missed")
    }
}
