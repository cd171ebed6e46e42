import Foundation
import Testing

/// Random operations on lists in pages, compared with the promises of the operations.
///
/// If a sequence fails, the test prints its seed. `SIESTA_MODEL_SEED=… swift test --filter PagedResourceModelTests`
/// runs only that sequence.
@MainActor @Suite(.serialized, .timeLimit(.minutes(30)))
struct PagedResourceModelTests {
    private static let sequences: UInt64 = TestEffort.repetitions(10_000)

    /// The number of sequences that run at the same time and share the turns of the main queue.
    private static let batchSize: UInt64 = 100

    @Test func `Whatever the server inserts and deletes, no item is lost or shown twice`() async {
        if let seed = ProcessInfo.processInfo.environment["SIESTA_MODEL_SEED"].flatMap(UInt64.init) {
            return report(await run(seed...seed))
        }
        var counts: [String: Int] = [:]
        for batch in 0..<Self.sequences / Self.batchSize {
            let models = await run(batch * Self.batchSize...(batch + 1) * Self.batchSize - 1)
            report(models)
            if models.contains(where: { $0.mismatch != nil }) { return }
            for model in models { counts.merge(model.counts, uniquingKeysWith: +) }
        }
        guard !TestEffort.isReduced else { return }
        for name in ["next", "previous", "all", "first", "merged", "visible", "failed"] {
            #expect(counts[name, default: 0] > 1000, "\(counts)")
        }
    }

    private func run(_ seeds: ClosedRange<UInt64>) async -> [PagedResourceModel] {
        let models = seeds.map(PagedResourceModel.init)
        let runs = models.map { model in Task { await model.run() } }
        for run in runs { await run.value }
        return models
    }

    private func report(_ models: [PagedResourceModel]) {
        for mismatch in models.compactMap(\.mismatch).prefix(3) { Issue.record("\(mismatch)") }
    }
}
