import Foundation
import Testing

@Suite(.timeLimit(.minutes(60)))
struct MutationTests {
    @Test(arguments: 0..<8)
    func `Mutations of documents have the results of Foundation`(_ part: Int) {
        for number in 0..<Effort.mutations / 8 {
            let seed = UInt64(number * 8 + part)
            var random = SplitMix(seed: seed)
            let document = Documents.all[random.below(Documents.all.count)]
            let text = Mutations.mutated(Array(document.utf8), &random)
            guard let difference = Differential.difference(Data(text), seed: seed) else { continue }
            Issue.record("\(String(decoding: text, as: UTF8.self))\n\(difference)")
            return
        }
    }

    @Test func `All documents have the results of Foundation, with many decoders`() {
        for document in Documents.all {
            for seed in 0..<40 as Range<UInt64> {
                guard let difference = Differential.difference(Data(document.utf8), seed: seed) else { continue }
                Issue.record("\(document)\n\(difference)")
                break
            }
        }
    }
}
