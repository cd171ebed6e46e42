import AllocationCounter
import Foundation

/// Runs benchmarks one after the other and collects what they cost.
@MainActor
struct Runner {
    private static let samples = 11
    private static let sampleTime = Duration.milliseconds(8)

    let isCounting: Bool

    /// Measures a benchmark; under `--count` only runs it, so many times as it says, for a tool that counts instructions.
    func measure(_ benchmark: Benchmark) async -> Measurement {
        if isCounting {
            let repetitions = max(benchmark.batch, benchmark.countedRepetitions)
            await benchmark.run(benchmark.batch)
            let before = allocation_count()
            await countedRegion(benchmark, repetitions)
            let allocations = Double(allocation_count() - before) / Double(repetitions)
            return Measurement(name: benchmark.name, nanoseconds: 0, spread: 0, allocations: allocations)
        }
        let repetitions = await calibrate(benchmark)
        var times: [Double] = []
        var allocations: UInt64 = 0
        for _ in 0..<Self.samples {
            let before = allocation_count()
            times.append(await time(benchmark, repetitions) / Double(repetitions))
            allocations = allocation_count() - before
        }
        times.sort()
        return Measurement(
            name: benchmark.name, nanoseconds: times[times.count / 2],
            spread: (times[times.count * 3 / 4] - times[times.count / 4]) / 2,
            allocations: Double(allocations) / Double(repetitions))
    }

    /// Bytes of heap that one object takes.
    func measure(_ benchmark: MemoryBenchmark) async -> Double {
        _ = await benchmark.make(benchmark.count / 100 + 1)
        let before = heap_bytes_in_use()
        let objects = await benchmark.make(benchmark.count)
        let bytes = Double(heap_bytes_in_use()) - Double(before)
        withExtendedLifetime(objects) {}
        return bytes / Double(benchmark.count)
    }

    /// How many repetitions take a sample's time; warms up on the way.
    private func calibrate(_ benchmark: Benchmark) async -> Int {
        var repetitions = benchmark.batch
        while true {
            let nanoseconds = await time(benchmark, repetitions)
            let wanted = Double(Self.sampleTime.components.attoseconds) / 1e9
            if nanoseconds >= wanted / 2 || repetitions >= 1 << 24 { return repetitions }
            repetitions *= max(2, min(16, Int(wanted / max(1, nanoseconds))))
        }
    }

    private func time(_ benchmark: Benchmark, _ repetitions: Int) async -> Double {
        let start = DispatchTime.now().uptimeNanoseconds
        await benchmark.run(repetitions)
        return Double(DispatchTime.now().uptimeNanoseconds - start)
    }

    /// The part that instruction counters look at; `count` finds it by its name.
    @inline(never)
    private func countedRegion(_ benchmark: Benchmark, _ repetitions: Int) async {
        await benchmark.run(repetitions)
    }
}

/// Keeps the optimiser from dropping what computes `value`.
@inline(never)
func keep<T>(_ value: T) {
    withExtendedLifetime(value) {}
}
