import Foundation
import Testing

@Suite(.timeLimit(.minutes(60)))
struct MutationTests {
    @Test(arguments: 0..<8)
    func `Mutations of documents have the results of Foundation`(_ part: Int) {
        for number in 0..<Effort.mutations / 8 {
            let seed = UInt64(number * 8 + part)
            var random = SplitMix(seed: seed)
            let data = Mutations.document(&random)
            // The second comparison takes a tenth of the time.
            let difference =
                number % 16 == 0
                ? Differential.difference(data, seed: seed) : Differential.shortDifference(data, seed: seed)
            guard let difference else { continue }
            Issue.record("\(String(decoding: data, as: UTF8.self))\n\(difference)")
            return
        }
    }

    @Test func `All documents have the results of Foundation, with many decoders`() {
        for document in Documents.all + LargeDocuments.all {
            // Six seeds are enough for all types. Long documents take long.
            for seed in 0..<(LargeDocuments.all.contains(document) ? 1 : 6) as Range<UInt64> {
                guard let difference = Differential.difference(Data(document.utf8), seed: seed) else { continue }
                Issue.record("\(document)\n\(difference)")
                break
            }
        }
    }
}
