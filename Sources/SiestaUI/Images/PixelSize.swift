/// A size in pixels.
public struct PixelSize: Sendable, Hashable {
    /// The width, at least 1.
    public var width: Int
    /// The height, at least 1.
    public var height: Int

    /// Creates a size. Values below 1 are replaced with 1.
    public init(width: Int, height: Int) {
        (self.width, self.height) = (max(1, width), max(1, height))
    }

    /// The number of pixels; `Int.max` if the number does not fit into an `Int`.
    public var count: Int {
        let (product, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? .max : product
    }

    /// Returns this size, scaled down proportionally to fit into `limit`. If this size already fits, or if `limit` is
    /// nil, returns it unchanged.
    public func fitted(into limit: PixelSize?) -> PixelSize {
        guard let limit, width > limit.width || height > limit.height else { return self }
        let scale = min(Double(limit.width) / Double(width), Double(limit.height) / Double(height))
        return PixelSize(
            width: min(limit.width, Int((Double(width) * scale).rounded())),
            height: min(limit.height, Int((Double(height) * scale).rounded())))
    }
}
