import Foundation
import Siesta
import SiestaTesting
import Testing
import Waiting

@testable import SiestaInspector

/// What the pages receive, and what the inspector keeps.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct InspectorFeedTests {
    private let service = Service(baseURL: "https://api.test", networking: StubNetwork())

    private func server() throws -> InspectorServer { try InspectorServer(port: 0) { _, _ in HTTPReply(status: 404) } }

    /// The state of a resource in the last event that contains it.
    private func lastState(_ number: Int, in stream: String) -> String? {
        let row = #"{"id":\#(number),"url":""#
        guard let start = stream.range(of: row, options: .backwards) else { return nil }
        let state = stream[start.upperBound...].range(of: #""state":""#)
        return state.map { String(stream[$0.upperBound...].prefix { $0 != "\"" }) }
    }

    @Test func `a small update does not overtake a large one with an older state`() async throws {
        let resources = (0..<10_000).map { service.resource("/\($0)") }
        let (feed, server) = (InspectorFeed(service), try server())
        feed.open(server)
        _ = await feed.state(.readOnly)  // Numbers the resources.
        let changed = try #require((1...10_000).first { feed.address(of: $0) == "https://api.test/0" })
        let (port, token) = (server.admission.port, server.admission.token)
        let client = try RawClient(port: port)
        client.send("GET /\(token)/events?after=0 HTTP/1.1\r\nHost: localhost:\(port)\r\n\r\n")
        try await Poll.until { server.hasReaders }
        let stream = Task { await client.read(until: "the end") }
        for number in 1...resources.count { feed.touch(number) }
        try await Poll.until { !feed.hasChanges }  // The large update has begun.
        for _ in 0..<4 { await mainQueueTurn() }  // It has read the states.
        resources[0].overrideLocalContent(with: "new")
        feed.touch(changed)
        try await Poll.until { server.lastEvent >= 2 }
        server.publish(Array(#"{"log":"the end"}"#.utf8))
        #expect(lastState(changed, in: await stream.value) == "fresh")
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
