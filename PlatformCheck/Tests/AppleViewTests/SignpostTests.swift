import Foundation
import Siesta
import SiestaTesting
import TestKit
import Testing
import Waiting
@_spi(Fakes) import os

@MainActor @Suite(.timeLimit(.test))
struct SignpostTests {
    private let network = StubNetwork()
    private let service: Service
    /// A name of its own, because two targets run these tests at the same time.
    private let subsystem = UUID().uuidString

    init() { service = Service(baseURL: "https://api.test", networking: network) }

    @Test func `A request is an interval, other events are signposts, and no text has a secret`() async throws {
        network.answer(.get, "/items?token=m4rk", with: .json("{}"))
        network.answer(.get, "/other", with: .json("{}", status: 500))
        EmittedSignpost.record(subsystem)
        let export = service.export(.signposts(subsystem: subsystem))
        let (items, other) = (service.resource("/items").withParam("token", "m4rk"), service.resource("/other"))
        items.loadIfNeeded()
        other.load()
        try await Poll.until { EmittedSignpost.all(of: subsystem).count { $0.kind == .end } == 2 }
        export.cancel()

        let signposts = EmittedSignpost.all(of: subsystem)
        for (path, ending) in [("/items", "success, status 200"), ("/other", "failure, status 500")] {
            let begin = try #require(signposts.first { $0.kind == .begin && $0.text.contains(path) })
            let end = try #require(signposts.first { $0.kind == .end && $0.text.contains(path) })
            #expect(begin.id == end.id)
            #expect(begin.name == "request")
            #expect(end.name == "request")
            #expect(begin.text.contains("GET"))
            #expect(end.text.contains(ending))
        }
        #expect(signposts.contains { $0.kind == .event && $0.name == "loadDecision" })
        #expect(!signposts.contains { $0.text.contains("m4rk") })
    }

    @Test func `While no tool records, nothing is emitted`() async throws {
        network.answer(.get, "/items", with: .json("{}"))
        let export = service.export(.signposts(subsystem: subsystem))
        await service.resource("/items").load().completion()
        // The export has seen the events of the first load.
        _ = try await Poll.untilUnchanged { EmittedSignpost.all(of: subsystem).count }
        EmittedSignpost.record(subsystem)
        await service.resource("/items").load().completion()
        try await Poll.until { EmittedSignpost.all(of: subsystem).contains { $0.kind == .end } }
        export.cancel()
        #expect(EmittedSignpost.all(of: subsystem).count { $0.kind == .end } == 1)
    }
}
