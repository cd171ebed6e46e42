/// The counts of an ``ImageStore``, for tests and measurements.
public struct ImageStoreStatistics: Sendable, Equatable {
    /// The number of images whose decoding has begun.
    public var decodes = 0
    /// The number of times that a requested image was already in memory.
    public var hits = 0
    /// The number of times that a model waited for the decoding of an image that another model had requested.
    public var joins = 0
    /// The number of images that could not be decoded.
    public var failures = 0
    /// The number of images that were evicted.
    public var evictions = 0
    /// The number of images in memory.
    public var imageCount = 0
    /// The memory that the images need, in bytes.
    public var cost = 0

    /// Creates counts that are all 0.
    public init() {}
}
