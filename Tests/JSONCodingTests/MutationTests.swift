import Foundation
import Testing

@Suite(.timeLimit(.minutes(60)))
struct MutationTests {
    /// The number of mutations: 10⁵, and ten times as many with `SOAK` in the environment, or the number in
    /// `MUTATIONS`.
    private static let count: Int = {
        let environment = ProcessInfo.processInfo.environment
        return environment["MUTATIONS"].flatMap { Int($0) } ?? (environment["SOAK"] == nil ? 100_000 : 1_000_000)
    }()

    @Test(arguments: 0..<8)
    func `Mutations of documents have the results of Foundation`(_ part: Int) {
        for number in 0..<Self.count / 8 {
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
