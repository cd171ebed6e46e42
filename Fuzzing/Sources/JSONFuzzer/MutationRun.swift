import Dispatch
import Foundation
import Synchronization

/// Compares a number of mutations with Foundation on all cores, without a corpus. Each run has other seeds.
struct MutationRun {
    /// The number of mutations, which `MUTATIONS` in the environment sets. Nil means that libFuzzer decides.
    static var count: Int? { ProcessInfo.processInfo.environment["MUTATIONS"].flatMap { Int($0) } }

    private let parts: Int
    private let first = UInt64.random(in: 0..<1 << 62)

    /// Creates a run of at least `count` mutations.
    init(count: Int) { parts = (count + MutationRun.partSize - 1) / MutationRun.partSize }

    private static let partSize = 10_000

    /// Compares all mutations, and ends the process. Prints each difference and its seed.
    func start() -> Never {
        print("\(parts * MutationRun.partSize) mutations from seed \(first)")
        let done = Atomic(0)
        let differences = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: parts) { part in
            differences.add(compare(part), ordering: .relaxed)
            let count = done.add(1, ordering: .relaxed).newValue
            if count % 10 == 0 {
                print("\(count * MutationRun.partSize)")
                fflush(nil)
            }
        }
        let count = differences.load(ordering: .relaxed)
        print("\(count) differences")
        exit(count == 0 ? 0 : 1)
    }

    private func compare(_ part: Int) -> Int {
        let start = first + UInt64(part * MutationRun.partSize)
        return (start..<start + UInt64(MutationRun.partSize)).count { seed in
            var random = SplitMix(seed: seed)
            let data = Mutations.document(&random)
            let difference =
                random.below(128) > 0
                ? Differential.shortDifference(data, seed: seed)
                : Differential.difference(data, seed: seed) ?? EncodingDifferential.difference(data, seed: seed)
            guard let difference else { return false }
            print("Seed \(seed): \(String(decoding: data, as: UTF8.self))\n\(difference)")
            return true
        }
    }
}
