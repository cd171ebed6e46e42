import Measuring

/// One row: a thing whose cost is measured.
@MainActor
struct Benchmark {
    /// Does something as often as was said when it was prepared.
    typealias Operation = @MainActor () async -> Void

    enum Method {
        /// Prepares so many repetitions, which are then timed or counted.
        case timed(prepare: @MainActor (_ repetitions: Int) async -> Operation)
        /// Takes one sample itself: nanoseconds for one operation.
        case sampled(@MainActor () async throws -> Double)
        /// Prepares to make so many objects; what the operation returns keeps them while the heap is measured.
        case sized(prepare: @MainActor (_ count: Int) async -> (@MainActor () async -> Any))
    }

    /// A name whose part before the slash is the family.
    let name: String
    /// The row that is measured in turn with this one, sample by sample.
    var reference: String?
    /// Whether the row costs this library nothing, and is there for others to be compared with.
    var isReference = false
    /// The operation is repeated a multiple of so many times.
    var batch = 1
    /// Whether the operation is repeated exactly `batch` times, since its cost depends on how often it was done before.
    var isFixed = false
    /// How often the operation is repeated where instructions are counted; nil if counts of it would say nothing.
    var counted: Int?
    /// Parts of the names of functions that the operation must not call.
    var avoids: [String] = []
    let method: Method
}

extension Benchmark {
    /// A row that does its operation so many times as it is told.
    init(
        _ name: String, beside reference: String? = nil, isReference: Bool = false, batch: Int = 1,
        counted: Int? = 500, avoids: [String] = [],
        run: @escaping @MainActor (_ repetitions: Int) async -> Void
    ) {
        self.init(
            name: name, reference: reference, isReference: isReference, batch: batch, counted: counted, avoids: avoids,
            method: .timed { repetitions in { await run(repetitions) } })
    }

    /// A row with a part that is not measured, before each sample.
    init(
        _ name: String, beside reference: String? = nil, fixed: Int,
        prepare: @escaping @MainActor (_ repetitions: Int) async -> Operation
    ) {
        self.init(
            name: name, reference: reference, batch: fixed, isFixed: true, counted: fixed,
            method: .timed(prepare: prepare))
    }

    /// A row that takes its own samples: nanoseconds for one operation.
    init(_ name: String, sample: @escaping @MainActor () async throws -> Double) {
        self.init(name: name, method: .sampled(sample))
    }

    /// A row of memory: bytes on the heap that each of so many objects takes.
    init(
        _ name: String, objects count: Int,
        prepare: @escaping @MainActor (_ count: Int) async -> (@MainActor () async -> Any)
    ) {
        self.init(name: name, batch: count, isFixed: true, method: .sized(prepare: prepare))
    }
}

/// Keeps the optimiser from dropping what computes `value`.
@inline(never)
func keep<T>(_ value: T) {
    withExtendedLifetime(value) {}
}
