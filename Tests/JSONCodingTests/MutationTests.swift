import Foundation
import TestKit
import Testing

@Suite(.timeLimit(.model))
struct MutationTests {
    @Test(arguments: 0..<8)
    func `Mutations of documents have the results of Foundation`(_ part: Int) {
        let count = TestLevel.count(2_000, nightly: 16_000, soak: 1_000_000) / 8
        for (number, seed) in TestSeed.cases(8 * count).dropFirst(part * count).prefix(count).enumerated() {
            var random = SplitMix(seed: seed)
            let data = Mutations.document(&random)
            // The second comparison takes a tenth of the time.
            let difference =
                number % 16 == 0
                ? Differential.difference(data, seed: seed) : Differential.shortDifference(data, seed: seed)
            guard let difference else { continue }
            Issue.record("seed \(seed): \(String(decoding: data, as: UTF8.self).debugDescription)\n\(difference)")
            return
        }
    }

    /// At the lowest level another one of the seeds each day.
    private static let seeds: Range<UInt64> = {
        let first = TestSeed.current % 6
        return TestLevel.current < .nightly ? first..<first + 1 : 0..<6
    }()

    /// At the lowest level another one of them each day.
    private static let largeDocuments: [String] = {
        let all = LargeDocuments.all
        return TestLevel.current < .nightly ? [all[Int(TestSeed.current) % all.count]] : all
    }()

    @Test func `All documents have the results of Foundation, with many decoders`() {
        // Six seeds are enough for all types. Large documents take long.
        let all = Documents.all.map { ($0, Self.seeds) } + Self.largeDocuments.map { ($0, 0..<1) }
        for (document, seeds) in all {
            for seed in seeds {
                guard let difference = Differential.difference(Data(document.utf8), seed: seed) else { continue }
                Issue.record("\(document)\n\(difference)")
                break
            }
        }
    }
}
