import Dispatch
import Foundation
import Isolation
import SiestaCore
import SiestaTesting
import TestKit
import Testing
import Waiting

@testable import SiestaInspector

/// What the pages receive, and what the inspector keeps.
@MainActor @Suite(.timeLimit(.test))
struct InspectorFeedTests {
    /// An error of an app whose description takes a second, once.
    private final class SlowError: Error, CustomStringConvertible {
        enum Phase { case idle, armed, isDescribed }

        let phase = Locked(Phase.idle)

        var description: String {
            let mustWait = phase.withLock { phase in
                guard phase == .armed else { return false }
                phase = .isDescribed
                return true
            }
            if mustWait { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 1) }
            return "slow"
        }
    }

    private let stub = StubNetwork()
    private let service: Service

    init() { service = Service(baseURL: "https://api.test", networking: stub) }

    private func server() throws -> InspectorServer { try InspectorServer(port: 0) { _, _ in HTTPReply(status: 404) } }

    /// The state of a resource in the last event that contains it.
    private func lastState(_ number: Int, in stream: String) -> String? {
        let row = #"{"id":\#(number),"url":""#
        guard let start = stream.range(of: row, options: .backwards) else { return nil }
        let state = stream[start.upperBound...].range(of: #""state":""#)
        return state.map { String(stream[$0.upperBound...].prefix { $0 != "\"" }) }
    }

    @Test func `an update does not overtake one that has an older state`() async throws {
        let error = SlowError()
        stub.handler = { _ in .failure(error) }
        let (slow, changed) = (service.resource("/slow"), service.resource("/changed"))
        await slow.load().completion()
        let (feed, server) = (InspectorFeed(service), try server())
        feed.open(server)
        _ = await feed.state(.readOnly)  // Numbers the resources.
        let number = try #require((1...2).first { feed.address(of: $0) == "https://api.test/changed" })
        let (port, token) = (server.admission.port, server.admission.token)
        let client = try RawClient(port: port)
        client.send("GET /\(token)/events?after=0 HTTP/1.1\r\nHost: localhost:\(port)\r\n\r\n")
        try await Poll.until { server.hasReaders }
        let stream = Task { await client.read(until: "the end") }
        error.phase.withLock { $0 = .armed }
        for number in 1...2 { feed.touch(number) }
        try await Poll.until { error.phase.withLock { $0 } == .isDescribed }
        changed.overrideLocalContent(with: "new")
        feed.touch(number)
        try await Poll.until { server.lastEvent >= 2 }
        server.publish(Array(#"{"log":"the end"}"#.utf8))
        #expect(lastState(number, in: await stream.value) == "fresh")
        feed.close()
    }

    @Test func `resources that the service has dropped are forgotten without a page`() async throws {
        let (feed, server) = (InspectorFeed(service), try server())
        feed.open(server)
        let events = service.activity(limit: 20_000)
        let reading = Task { await feed.read(events) }
        for number in 0..<3000 { service.resource("/\(number)").overrideLocalContent(with: "x") }
        try await Poll.until { feed.resourceCount == 3000 }
        service.flushUnusedResources()
        reading.cancel()
        await reading.value
        await feed.refresh()
        #expect(feed.resourceCount <= service.inspectedResourceCount + 1000)
        feed.close()
    }
}
