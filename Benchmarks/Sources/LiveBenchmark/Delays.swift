/// Counts of delays, without memory for each of them: by microseconds up to 0.1 seconds.
struct Delays {
    private var counts = [Int](repeating: 0, count: 100_000)
    private(set) var total = 0

    mutating func add(nanoseconds: UInt64) {
        counts[Int(min(nanoseconds / 1000, UInt64(counts.count - 1)))] += 1
        total += 1
    }

    mutating func removeAll() {
        for index in counts.indices { counts[index] = 0 }
        total = 0
    }

    /// The delay below which a part of all delays lies, in nanoseconds.
    func quantile(_ part: Double) -> Double {
        var rest = Int((Double(total) * part).rounded(.up))
        for (microseconds, count) in counts.enumerated() {
            rest -= count
            if rest <= 0 { return Double(microseconds + 1) * 1000 }
        }
        return 0
    }
}
