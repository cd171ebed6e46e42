import Foundation
import TestKit
import Testing
import Waiting

/// Random schedules of sessions, whose requests, resources and caches are compared with the rules.
///
/// If a schedule fails, the test prints its seed. `SIESTA_MODEL_SEED=… swift test --filter SessionModelTests` runs only that
/// schedule.
@MainActor @Suite(.serialized, .timeLimit(.model))
struct SessionModelTests {
    private static let schedulesPerTest = TestLevel.count(20, nightly: 200, soak: 1_000)

    /// The number of schedules that run at the same time and share the turns of the main queue.
    private static let batchSize = 20

    @Test(arguments: 0..<10)
    func `Whatever happens in whatever order, each request and each datum belongs to its user`(
        _ part: Int
    ) async {
        if let seed = ProcessInfo.processInfo.environment["SIESTA_MODEL_SEED"].flatMap(UInt64.init) {
            return report(await run(seed..<seed + 1))
        }
        var (repetitions, switches) = (0, 0)
        let cases = TestSeed.cases(10 * Self.schedulesPerTest).dropFirst(part * Self.schedulesPerTest)
        for batch in 0..<Self.schedulesPerTest / Self.batchSize {
            let models = await run(cases.dropFirst(batch * Self.batchSize).prefix(Self.batchSize))
            report(models)
            repetitions += models.reduce(0) { $0 + max(0, $1.repetitionCount) }
            switches += models.reduce(0) { $0 + $1.switchCount }
            if models.contains(where: { $0.mismatch != nil }) { return }
        }
        guard TestLevel.current == .soak else { return }
        #expect(repetitions > 100, "\(repetitions), \(switches)")
        #expect(switches > 1000, "\(repetitions), \(switches)")
    }

    private func run(_ seeds: Range<UInt64>) async -> [SessionModel] {
        let models = seeds.map(SessionModel.init)
        for _ in 0..<50 {
            for model in models { model.step() }
            await SessionModel.settle(models)
        }
        for round in 0..<2000 where models.contains(where: { !$0.isDone }) {
            // On a busy machine, a response may need longer than the turns of a queue.
            if round >= 20 { await Moment.after(.milliseconds(5)) }
            for model in models where !model.isDone { model.finish() }
            await SessionModel.settle(models)
        }
        for model in models { await model.checkEnd() }
        return models
    }

    private func report(_ models: [SessionModel]) {
        for mismatch in models.compactMap(\.mismatch).prefix(3) { Issue.record("\(mismatch)") }
    }
}
