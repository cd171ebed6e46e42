/// One thing whose cost is measured.
@MainActor
struct Benchmark {
    /// A name whose part before the slash is the family.
    let name: String
    /// The row of the same run that this one is compared with, and how many times its cost is allowed.
    var reference: (name: String, limit: Double)?
    /// How many nanoseconds are allowed on an unloaded core, where no reference says it.
    var limit: Double?
    /// The operation is repeated a multiple of so many times.
    var batch = 1
    /// How often the operation is repeated under `--count`.
    var countedRepetitions = 2000
    /// Does the operation a number of times.
    let run: @MainActor (_ repetitions: Int) async -> Void
}

/// What came of measuring a ``Benchmark``.
struct Measurement: Codable {
    let name: String
    /// Nanoseconds for one operation: the median of the samples, and half the distance of the quartiles.
    let nanoseconds: Double
    let spread: Double
    let allocations: Double
    var ratio: Double?
    var limit: Double?
    var reference: String?
    var isWithinLimit: Bool? { limit.map { (ratio ?? nanoseconds) <= $0 } }
}

/// What one object costs in memory.
@MainActor
struct MemoryBenchmark {
    let name: String
    /// Bytes that one object may take.
    var limit: Double?
    let count: Int
    /// Makes that many objects, and returns what keeps them.
    let make: @MainActor (Int) async -> Any
}
