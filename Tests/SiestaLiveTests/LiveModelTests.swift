import Foundation
import TestKit
import Testing

/// Random schedules of a server, its events, lost connections, loads, observers and time.
///
/// If a schedule fails, the test prints its seed. `SIESTA_MODEL_SEED=… swift test --filter LiveModelTests` runs only that schedule.
@MainActor @Suite(.serialized, .timeLimit(.model))
struct LiveModelTests {
    private static let schedules = TestLevel.count(200, nightly: 2_000, soak: 10_000)

    /// The number of schedules that run at the same time and share the turns of the main queue.
    private static let batchSize = 20

    @Test func `Observed resources end as the server has them, and never go backwards`() async {
        if let seed = ProcessInfo.processInfo.environment["SIESTA_MODEL_SEED"].flatMap(UInt64.init) {
            return report(await run(seed..<seed + 1))
        }
        var counts: [String: Int] = [:]
        let cases = TestSeed.cases(Self.schedules)
        for batch in 0..<Self.schedules / Self.batchSize {
            let models = await run(cases.dropFirst(batch * Self.batchSize).prefix(Self.batchSize))
            report(models)
            if models.contains(where: { $0.mismatch != nil }) { return }
            for model in models { counts.merge(model.counts, uniquingKeysWith: +) }
        }
        for name in ["connections", "replays", "repeats"] {
            #expect(counts[name, default: 0] > Self.schedules / 10, "\(counts)")
        }
    }

    private func run(_ seeds: Range<UInt64>) async -> [LiveModel] {
        let models = seeds.map(LiveModel.init)
        let runs = models.map { model in Task { await model.run() } }
        for run in runs { await run.value }
        return models
    }

    private func report(_ models: [LiveModel]) {
        for mismatch in models.compactMap(\.mismatch).prefix(3) { Issue.record("\(mismatch)") }
    }
}
