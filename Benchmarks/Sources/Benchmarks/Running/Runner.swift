import Counters
import Foundation
import Measuring

/// Measures rows one after the other.
@MainActor
struct Runner {
    static let sampleCount = 11
    private static let sampleTime = 8e6  // nanoseconds

    /// Measures a row; with a reference, both in turn, so that what else the machine does affects both.
    func measure(_ benchmark: Benchmark, beside reference: Benchmark? = nil) async throws -> RowResult {
        switch benchmark.method {
        case .timed(let prepare): await time(benchmark, prepare, beside: reference)
        case .sampled(let sample): try await collect(benchmark, sample)
        case .sized(let prepare): await weigh(benchmark, prepare)
        }
    }

    private typealias Preparation = @MainActor (Int) async -> Benchmark.Operation

    private func time(
        _ benchmark: Benchmark, _ prepare: Preparation, beside reference: Benchmark?
    ) async -> RowResult {
        var other: Preparation?
        if case .timed(let prepare)? = reference?.method { other = prepare }
        let repetitions = await calibrate(benchmark, prepare)
        let otherRepetitions = if let reference, let other { await calibrate(reference, other) } else { 0 }
        var (times, otherTimes): ([Double], [Double]) = ([], [])
        var allocations: UInt64 = 0
        for _ in 0..<Self.sampleCount {
            let sample = await run(prepare, repetitions)
            times.append(sample.time)
            allocations = sample.allocations
            if let other { otherTimes.append((await run(other, otherRepetitions)).time) }
        }
        let samples = Samples(times)
        var measurement = RowResult(
            name: benchmark.name, unit: .nanoseconds, samples: samples,
            allocations: Double(allocations) / Double(repetitions))
        measurement.reference = benchmark.reference
        if other != nil {
            let others = Samples(otherTimes)
            measurement.referenceValue = others.median
            measurement.ratio = samples.lowerQuartile / others.lowerQuartile
        }
        return measurement
    }

    /// How many repetitions take a sample's time; warms up on the way.
    private func calibrate(_ benchmark: Benchmark, _ prepare: Preparation) async -> Int {
        var repetitions = benchmark.batch
        while true {
            let total = await run(prepare, repetitions).time * Double(repetitions)
            if benchmark.isFixed || total >= Self.sampleTime / 2 { return repetitions }
            repetitions *= max(2, min(16, Int(Self.sampleTime / max(1, total))))
        }
    }

    /// Nanoseconds for one operation, and the allocations of all.
    private func run(_ prepare: Preparation, _ repetitions: Int) async -> (time: Double, allocations: UInt64) {
        let operation = await prepare(repetitions)
        await mainQueueTurn()  // What the preparation, or another row, has left to do.
        let before = allocation_count()
        let start = DispatchTime.now().uptimeNanoseconds
        await operation()
        let time = DispatchTime.now().uptimeNanoseconds - start
        return (Double(time) / Double(repetitions), allocation_count() - before)
    }

    private func collect(
        _ benchmark: Benchmark, _ sample: @MainActor () async throws -> Double
    ) async throws -> RowResult {
        _ = try await sample()
        var times: [Double] = []
        for _ in 0..<Self.sampleCount { times.append(try await sample()) }
        return RowResult(name: benchmark.name, unit: .nanoseconds, samples: Samples(times))
    }

    /// Bytes of heap that one object takes.
    private func weigh(
        _ benchmark: Benchmark, _ prepare: @MainActor (Int) async -> (@MainActor () async -> Any)
    ) async -> RowResult {
        _ = await prepare(benchmark.batch / 100)()
        let make = await prepare(benchmark.batch)
        let before = (bytes: heap_bytes_in_use(), allocations: allocation_count())
        let objects = await make()
        let bytes = Double(heap_bytes_in_use()) - Double(before.bytes)
        let allocations = Double(allocation_count() - before.allocations)
        withExtendedLifetime(objects) {}
        let count = Double(benchmark.batch)
        return RowResult(
            name: benchmark.name, unit: .bytes, samples: Samples([bytes / count]), allocations: allocations / count)
    }
}
