/// A size in pixels.
public struct PixelSize: Sendable, Hashable {
    /// The width, at least 1.
    public var width: Int
    /// The height, at least 1.
    public var height: Int

    /// Creates a size. Numbers below 1 count as 1.
    public init(width: Int, height: Int) {
        (self.width, self.height) = (max(1, width), max(1, height))
    }

    /// The number of pixels; `Int.max` if the number does not fit into an `Int`.
    public var count: Int {
        let (product, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? .max : product
    }

    /// Returns the largest size with the same proportions that fits into `limit`, and is not larger than this size.
    /// Ignores rotation.
    public func fitted(into limit: PixelSize?) -> PixelSize {
        guard let limit, width > limit.width || height > limit.height else { return self }
        let scale = min(Double(limit.width) / Double(width), Double(limit.height) / Double(height))
        return PixelSize(
            width: min(limit.width, Int((Double(width) * scale).rounded())),
            height: min(limit.height, Int((Double(height) * scale).rounded())))
    }
}
