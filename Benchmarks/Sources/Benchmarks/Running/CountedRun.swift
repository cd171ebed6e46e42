import Counters
import Foundation
import Measuring

/// What a counted row did, for whoever reads the instruction counter's files: its regions come in the same order.
struct CountedRow: Codable {
    let name: String
    /// The first region repeated the operation so many times, the second one twice as often.
    let repetitions: Int
    let allocations: Double
    let avoids: [String]
    let isReference: Bool
    /// The name of the row's reference.
    var reference: String?
}

/// Does each operation a number of times, then twice as many times: what the second round costs more is the operation's
/// cost, free of what a round costs once.
@MainActor
struct CountedRun {
    /// Runs a row; nil if counting says nothing about it.
    func run(_ benchmark: Benchmark) async -> CountedRow? {
        guard case .timed(let prepare) = benchmark.method, let wanted = benchmark.counted else { return nil }
        let repetitions = (wanted + benchmark.batch - 1) / benchmark.batch * benchmark.batch
        await prepare(benchmark.batch)()
        let once = await allocations(prepare, repetitions)
        let twice = await allocations(prepare, 2 * repetitions)
        return CountedRow(
            name: benchmark.name, repetitions: repetitions,
            allocations: Double(twice - once) / Double(repetitions), avoids: benchmark.avoids,
            isReference: benchmark.isReference, reference: benchmark.reference)
    }

    private func allocations(
        _ prepare: @MainActor (Int) async -> Benchmark.Operation, _ repetitions: Int
    ) async -> Int {
        let operation = await prepare(repetitions)
        await mainQueueTurn()
        let before = allocation_count()
        counted_region_begins()
        await operation()
        counted_region_ends()
        return Int(allocation_count() - before)
    }
}
