/// Repeated measurements of one thing.
public struct Samples: Sendable {
    private let sorted: [Double]

    /// Takes samples in any order.
    public init(_ values: [Double]) {
        sorted = values.sorted()
    }

    /// The value in the middle; 0 without samples.
    public var median: Double { quantile(0.5) }

    /// The value that a quarter of the samples lies below. Other load of the machine only ever adds to a time, so this
    /// one tells two things measured in turn apart more reliably than the median.
    public var lowerQuartile: Double { quantile(0.25) }

    /// The value that one sample in a hundred lies above.
    public var percentile99: Double { quantile(0.99) }

    /// Half the distance of the quartiles: half of all samples lie about this near to the median.
    public var spread: Double { (quantile(0.75) - quantile(0.25)) / 2 }

    /// The value below which the given part of the samples lies, interpolated between neighbours.
    private func quantile(_ part: Double) -> Double {
        guard let last = sorted.indices.last else { return 0 }
        let position = part * Double(last)
        let low = Int(position)
        let high = min(low + 1, last)
        return sorted[low] + (sorted[high] - sorted[low]) * (position - Double(low))
    }
}
