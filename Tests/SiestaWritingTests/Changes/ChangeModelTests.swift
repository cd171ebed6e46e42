import Foundation
import SiestaCore
import SiestaTesting
import SiestaWriting
import TestKit
import Testing
import Waiting

/// Random schedules of changes, loads, conflicts and wipes, compared with ``ChangeModel``.
///
/// If a schedule fails, the test prints its seed. `SIESTA_MODEL_SEED=… swift test --filter ChangeModelTests` runs only that
/// schedule.
@MainActor @Suite(.serialized, .timeLimit(.model))
struct ChangeModelTests {
    private static let schedulesPerTest = TestLevel.count(20, nightly: 200, soak: 1_000)

    /// The number of schedules that run at the same time and share the turns of the main queue.
    private static let batchSize = 20

    @Test(arguments: 0..<10)
    func `Whatever happens in whatever order, the data is the base with the pending changes`(_ part: Int) async {
        if let seed = ProcessInfo.processInfo.environment["SIESTA_MODEL_SEED"].flatMap(UInt64.init) {
            return report(await run(seed..<seed + 1))
        }
        var counts: [String: Int] = [:]
        let cases = TestSeed.cases(10 * Self.schedulesPerTest).dropFirst(part * Self.schedulesPerTest)
        for batch in 0..<Self.schedulesPerTest / Self.batchSize {
            let worlds = await run(cases.dropFirst(batch * Self.batchSize).prefix(Self.batchSize))
            report(worlds)
            if worlds.contains(where: { $0.mismatch != nil }) { return }
            for world in worlds { counts.merge(world.counts, uniquingKeysWith: +) }
        }
        guard TestLevel.current == .soak else { return }
        for kind in [
            "mutate", "answer", "load", "cancel", "resolve", "override", "assign", "wipe", "wipeAll", "signIn",
        ] {
            #expect(counts[kind] ?? 0 > 20, "\(kind): \(counts)")
        }
    }

    private func run(_ seeds: Range<UInt64>) async -> [ChangeModel.World] {
        let worlds = seeds.map(ChangeModel.World.init)
        for _ in 0..<7 {
            for world in worlds { world.runSomeSteps() }
            await hear(worlds)
        }
        var isRunning = true
        for _ in 0..<400 where isRunning {
            isRunning = worlds.reduce(false) { $1.finishOne() || $0 }
            await hear(worlds)
        }
        let checks = worlds.map { $0.release() }
        await turns()
        for check in checks { check() }
        return worlds
    }

    /// Waits for all that follows from a response: hooks, tasks of the library, and the requests that they send. Nothing
    /// says when the last task has ended. Therefore resources may need some turns until they agree with their models.
    private func hear(_ worlds: [ChangeModel.World]) async {
        await turns()
        for world in worlds { world.hear() }
        var late = worlds
        for round in 0..<300 where !late.isEmpty {
            if round > 50 { await Moment.after(.milliseconds(2)) }
            if round > 0 { await turns() }
            late.removeAll { $0.isChecked(isLast: round == 299) }
        }
    }

    private func turns() async {
        for _ in 0..<4 { await mainQueueTurn() }
    }

    private func report(_ worlds: [ChangeModel.World]) {
        for mismatch in worlds.compactMap(\.mismatch).prefix(3) { Issue.record("\(mismatch)") }
    }
}
