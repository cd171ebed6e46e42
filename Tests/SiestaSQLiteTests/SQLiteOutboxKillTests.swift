#if SQLite
import CacheTorture
import Foundation
import OutboxTorture
import SiestaCaches
import SiestaCore
import SiestaOutboxStorage
import SiestaSQLite
import TestKit
import Testing

/// Apps and processes with an outbox in a database that are killed while they use it.
@Suite(.serialized, .timeLimit(.model))
struct SQLiteOutboxKillTests {
    @Test func `Apps that are killed lose no accepted change, apply none twice, and keep the order of each scope`()
        async throws
    {
        let folder = try TestFolder()
        let (path, log) = (folder.path + "/changes", folder.path + "/log")
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
                let app = DurableApp(log: log, port: port) { .sqlite(at: URL(fileURLWithPath: path)) }
                try await app.run(changes: changes, then: delay)
            }
        }
        let app = DurableApp(log: log, port: port) { .sqlite(at: URL(fileURLWithPath: path)) }
        try await app.finish()
        let (broken, accepted) = try app.brokenPromises(server.applied)
        #expect(broken.isEmpty)
        #expect(accepted > rounds)
        TestLevel.report(
            "SQLite outbox: \(rounds) apps killed, \(accepted) changes accepted, \(server.requestCount) requests")
    }

    @Test func `A process that is killed leaves every accepted entry in the reported state or a later state`()
        async throws
    {
        let folder = try TestFolder()
        let (path, log) = (folder.path + "/changes", folder.path + "/log")
        let rounds = TestLevel.count(4, nightly: 10, soak: 100)
        for round in 0..<rounds {
            let (seed, entries) = (UInt64.random(in: 0...(.max)), round % 4)
            let delay = Int64.random(in: 0...120_000)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [
                    path = path as String, log = log as String, seed = seed as UInt64, entries = entries as Int,
                    delay = delay as Int64
                ] in
                try await SQLiteOutboxKillTests.torture(path, log).run(seed: seed, entries: entries, then: delay)
            }
            let broken = try await Self.torture(path, log).brokenPromises()
            #expect(broken.isEmpty, "kill \(round)")
        }
        let promises = try Self.torture(path, log).promises()
        #expect(promises.count > rounds)
        TestLevel.report("SQLite outbox: killed \(rounds) times, \(promises.count) entries accepted")
    }

    private static func torture(_ path: String, _ log: String) -> OutboxTorture {
        OutboxTorture(log: log, files: path + "-outbox/files") { .sqlite(at: URL(fileURLWithPath: path)) }
    }
}
#endif
