import Counters
import Foundation
import Measuring

/// What a counted row did, for whoever reads the instruction counter's files: its regions come in the same order.
struct CountedRow: Codable {
    /// How often each region is measured.
    static let rounds = 2

    let name: String
    /// The first ``CountedRow/rounds`` regions repeated the operation so many times, the others twice as often.
    let repetitions: Int
    let allocations: Double
    let avoids: [String]
    let isReference: Bool
    /// The name of the row's reference.
    var reference: String?
}

/// Does each operation a number of times, then twice as many times: what the second region costs more is the operation's cost, free
/// of what a region costs once.
///
/// A timer, another thread or the allocator may do work of its own within a region. Therefore each is measured several times, and the
/// one that cost least counts.
@MainActor
struct CountedRun {
    /// Runs a row; nil if counting says nothing about it.
    func run(_ benchmark: Benchmark) async -> CountedRow? {
        guard case .timed(let prepare) = benchmark.method, let wanted = benchmark.counted else { return nil }
        let repetitions = (wanted + benchmark.batch - 1) / benchmark.batch * benchmark.batch
        await prepare(benchmark.batch)()
        let once = await leastAllocations(prepare, repetitions)
        let twice = await leastAllocations(prepare, 2 * repetitions)
        return CountedRow(
            name: benchmark.name, repetitions: repetitions,
            allocations: Double(twice - once) / Double(repetitions), avoids: benchmark.avoids,
            isReference: benchmark.isReference, reference: benchmark.reference)
    }

    private func leastAllocations(
        _ prepare: @MainActor (Int) async -> Benchmark.Operation, _ repetitions: Int
    ) async -> Int {
        var least = Int.max
        for _ in 0..<CountedRow.rounds {
            let operation = await prepare(repetitions)
            await mainQueueTurn()
            let before = allocation_count()
            counted_region_begins()
            await operation()
            counted_region_ends()
            least = min(least, Int(allocation_count() - before))
        }
        return least
    }
}
