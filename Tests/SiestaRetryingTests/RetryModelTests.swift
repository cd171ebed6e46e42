import Foundation
import SiestaTesting
import TestKit
import Testing

/// Random schedules of retries, pacing, reloads and polls, whose requests are compared with the rules.
///
/// If a schedule fails, the test prints its seed. `SIESTA_MODEL_SEED=… swift test --filter RetryModelTests` runs only that
/// schedule.
@MainActor @Suite(.serialized, .timeLimit(.model))
struct RetryModelTests {
    private static let schedulesPerTest = TestLevel.count(20, nightly: 200, soak: 1_000)

    /// The number of schedules that run at the same time and share the turns of the main queue.
    private static let batchSize = 20

    @Test(arguments: 0..<10)
    func `Whatever happens in whatever order, requests are sent when the rules permit it`(_ part: Int) async {
        if let seed = ProcessInfo.processInfo.environment["SIESTA_MODEL_SEED"].flatMap(UInt64.init) {
            return report(await run(seed..<seed + 1))
        }
        var (retries, automatic, offline) = (0, 0, 0)
        let cases = TestSeed.cases(10 * Self.schedulesPerTest).dropFirst(part * Self.schedulesPerTest)
        for batch in 0..<Self.schedulesPerTest / Self.batchSize {
            let models = await run(cases.dropFirst(batch * Self.batchSize).prefix(Self.batchSize))
            report(models)
            retries += models.reduce(0) { $0 + $1.retryCount }
            automatic += models.reduce(0) { $0 + $1.automaticCount }
            offline += models.reduce(0) { $0 + $1.offlineCount }
            if models.contains(where: { $0.mismatch != nil }) { return }
        }
        guard TestLevel.current == .soak else { return }
        #expect(retries > 1000, "\(retries), \(automatic), \(offline)")
        #expect(automatic > 300, "\(retries), \(automatic), \(offline)")
        #expect(offline > 300, "\(retries), \(automatic), \(offline)")
    }

    private func run(_ seeds: Range<UInt64>) async -> [RetryModel] {
        let models = seeds.map(RetryModel.init)
        for _ in 0..<40 {
            for model in models { model.step() }
            await mainQueueTurn()
        }
        for model in models { model.finish() }
        for _ in 0..<60 where models.contains(where: { !$0.isDone }) {
            for model in models where !model.isDone { model.answerAll() }
            await mainQueueTurn()
            await mainQueueTurn()
        }
        for model in models { model.checkEnd() }
        return models
    }

    private func report(_ models: [RetryModel]) {
        for mismatch in models.compactMap(\.mismatch).prefix(3) { Issue.record("\(mismatch)") }
    }
}
