import CacheTorture
import Foundation
import OutboxTorture
import SiestaCaches
import SiestaOutboxStorage
import TestKit
import Testing

/// Processes that are killed while they accept and change entries.
@Suite(.serialized, .timeLimit(.model))
struct OutboxTortureTests {
    @Test(arguments: [nil, 7] as [UInt8?])
    func `A process that is killed leaves every accepted entry in the reported state or a later state`(
        key: UInt8?
    ) async throws {
        let folder = try TestFolder()
        let (path, log, seal) = (folder.path + "/outbox", folder.path + "/log", Int(key ?? 0))
        let rounds = TestLevel.count(4, nightly: 10, soak: 100)
        for round in 0..<rounds {
            let (seed, entries) = (UInt64.random(in: 0...(.max)), round % 4)
            let delay = Int64.random(in: 0...120_000)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [
                    path = path as String, log = log as String, seal = seal as Int, seed = seed as UInt64,
                    entries = entries as Int, delay = delay as Int64
                ] in
                try await OutboxTortureTests.torture(path, log, seal).run(seed: seed, entries: entries, then: delay)
            }
            let broken = try await Self.torture(path, log, seal).brokenPromises()
            #expect(broken.isEmpty, "kill \(round)")
        }
        let promises = try Self.torture(path, log, seal).promises()
        #expect(promises.count > rounds)
        let gone = promises.values.count { $0.isGone }
        TestLevel.report("outbox: killed \(rounds) times, \(promises.count) entries accepted, \(gone) of them finished")
    }

    private static func torture(_ path: String, _ log: String, _ key: Int) -> OutboxTorture {
        OutboxTorture(log: log, files: path + "/files") {
            .files(at: URL(fileURLWithPath: path), sealing: key == 0 ? nil : TestSealing(key: UInt8(key)))
        }
    }
}
