import CacheTorture
import Foundation
import OutboxTorture
import SiestaCaches
import SiestaCore
import SiestaOutboxStorage
import SiestaWriting
import TestKit
import Testing

/// Apps that are killed while they make, store and send durable changes.
@Suite(.serialized, .timeLimit(.model))
struct OutboxKillTests {
    @Test func `Apps that are killed lose no accepted change, apply none twice, and keep the order of each scope`()
        async throws
    {
        let folder = try TestFolder()
        let (path, log) = (folder.path + "/outbox", folder.path + "/log")
        let server = try RecordingServer()
        let port = Int(server.port)
        let rounds = TestLevel.count(4, nightly: 25, soak: 500)
        for round in 0..<rounds {
            let (changes, delay) = (round % 4, Int64.random(in: 0...400_000))
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [
                    path = path as String, log = log as String, port = port as Int, changes = changes as Int,
                    delay = delay as Int64
                ] in
                let app = DurableApp(log: log, port: port) { Outbox(at: URL(fileURLWithPath: path)) }
                try await app.run(changes: changes, then: delay)
            }
        }
        let app = DurableApp(log: log, port: port) { Outbox(at: URL(fileURLWithPath: path)) }
        try await app.finish()
        let (broken, accepted) = try app.brokenPromises(server.applied)
        #expect(broken.isEmpty)
        #expect(accepted > rounds)
        TestLevel.report("outbox: \(rounds) apps killed, \(accepted) changes accepted, \(server.requestCount) requests")
    }
}
