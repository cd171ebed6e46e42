import Foundation
import Siesta
import SiestaTesting
import Testing
import Waiting

/// Random schedules of changes, loads, conflicts and wipes, compared with ``ChangeModel``.
///
/// If a schedule fails, the test prints its seed. `SIESTA_MODEL_SEED=… swift test --filter ChangeModelTests` runs only that
/// schedule.
@MainActor @Suite(.serialized, .timeLimit(.minutes(30)))
struct ChangeModelTests {
    private static let schedulesPerTest: UInt64 = TestEffort.repetitions(1_000)

    /// The number of schedules that run at the same time and share the turns of the main queue.
    private static let batchSize: UInt64 = 50

    @Test(arguments: 0..<10 as Range<UInt64>)
    func `Whatever happens in whatever order, the data is the base with the pending changes`(_ thousand: UInt64) async {
        if let seed = ProcessInfo.processInfo.environment["SIESTA_MODEL_SEED"].flatMap(UInt64.init) {
            return report(await run(seed...seed))
        }
        var counts: [String: Int] = [:]
        for batch in 0..<Self.schedulesPerTest / Self.batchSize {
            let first = thousand * Self.schedulesPerTest + batch * Self.batchSize
            let worlds = await run(first...(first + Self.batchSize - 1))
            report(worlds)
            if worlds.contains(where: { $0.mismatch != nil }) { return }
            for world in worlds { counts.merge(world.counts, uniquingKeysWith: +) }
        }
        guard !TestEffort.isReduced else { return }
        for kind in [
            "mutate", "answer", "load", "cancel", "resolve", "override", "assign", "wipe", "wipeAll", "signIn",
        ] {
            #expect(counts[kind] ?? 0 > 20, "\(kind): \(counts)")
        }
    }

    private func run(_ seeds: ClosedRange<UInt64>) async -> [ChangeModel.World] {
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
