import Foundation
import TestKit
import Testing

/// Random operations on lists in pages, compared with the promises of the operations.
///
/// If a sequence fails, the test prints its seed. `SIESTA_MODEL_SEED=… swift test --filter PagedResourceModelTests`
/// runs only that sequence.
@MainActor @Suite(.serialized, .timeLimit(.model))
struct PagedResourceModelTests {
    private static let sequences = TestLevel.count(200, nightly: 2_000, soak: 10_000)

    /// The number of sequences that run at the same time and share the turns of the main queue.
    private static let batchSize = 20

    @Test func `Whatever the server inserts and deletes, no item is lost or shown twice`() async {
        if let seed = ProcessInfo.processInfo.environment["SIESTA_MODEL_SEED"].flatMap(UInt64.init) {
            return report(await run(seed..<seed + 1))
        }
        var counts: [String: Int] = [:]
        let cases = TestSeed.cases(Self.sequences)
        for batch in 0..<Self.sequences / Self.batchSize {
            let models = await run(cases.dropFirst(batch * Self.batchSize).prefix(Self.batchSize))
            report(models)
            if models.contains(where: { $0.mismatch != nil }) { return }
            for model in models { counts.merge(model.counts, uniquingKeysWith: +) }
        }
        guard TestLevel.current == .soak else { return }
        for name in ["next", "previous", "all", "first", "merged", "visible", "failed"] {
            #expect(counts[name, default: 0] > 1000, "\(counts)")
        }
    }

    private func run(_ seeds: Range<UInt64>) async -> [PagedResourceModel] {
        let models = seeds.map(PagedResourceModel.init)
        let runs = models.map { model in Task { await model.run() } }
        for run in runs { await run.value }
        return models
    }

    private func report(_ models: [PagedResourceModel]) {
        for mismatch in models.compactMap(\.mismatch).prefix(3) { Issue.record("\(mismatch)") }
    }
}
