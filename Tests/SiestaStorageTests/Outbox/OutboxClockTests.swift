import Foundation
import SiestaCore
import SiestaTesting
import SiestaWriting
import TestKit
import Testing
import Waiting

@testable import SiestaCaches

/// Clocks that are set, and waits of any length.
@MainActor @Suite(.timeLimit(.test))
struct OutboxClockTests {
    @Test(arguments: [-31_536_000.0, 31_536_000])
    func `A clock that is set neither stalls a repetition nor drops the change`(by seconds: Double) async throws {
        let app = try await OutboxApp()
        try await app.load()
        app.network.answer(.patch, "/authors/1", with: .response(503), Author(name: "G").json("2"))
        let change = app.author.mutate(.patch, body: .encoded(["name": "G"]), durable: true) { $0.name = "G" }
        _ = try await app.network.exchange(2)
        await app.outbox.settled()
        app.clock.setWallTime(app.clock.wallTime + seconds)
        app.clock.advance(by: 10)
        await app.outbox.settled()
        if seconds > 0 {
            #expect(change.state == .refused)
            #expect(app.author.content?.name == "G")
            try await app.outbox.retry(#require(change.entryID))
            await app.outbox.settled()
        }
        #expect(app.outbox.entries.isEmpty)
        #expect(app.sent.count == 2)
    }

    @Test func `A server that asks for an endless wait does not keep the app from sending`() async throws {
        let app = try await OutboxApp()
        try await app.load()
        let endless = String(repeating: "9", count: 400)
        app.network.answer(
            .patch, "/authors/1", with: .response(429, headers: ["Retry-After": endless]), Author(name: "G").json("2"))
        app.author.mutate(.patch, body: .encoded(["name": "G"]), durable: true) { $0.name = "G" }
        _ = try await app.network.exchange(2)
        await app.outbox.settled()
        app.clock.advance(by: 3_600)
        await app.outbox.settled()
        #expect(app.sent.count == 1)
        app.outbox.sendNow()
        await app.outbox.settled()
        #expect(app.sent.count == 2)
    }
}
