/// The counts of an ``ImageStore``, for tests and measurements.
package struct ImageStoreStatistics: Sendable, Equatable {
    /// The number of images whose decoding has begun.
    package var decodes = 0
    /// The number of times that a requested image was already in memory.
    package var hits = 0
    /// The number of times that a model waited for the decoding of an image that another model had requested.
    package var joins = 0
    /// The number of images that could not be decoded.
    package var failures = 0
    /// The number of images that were evicted.
    package var evictions = 0
    /// The number of images in memory.
    package var imageCount = 0
    /// The memory that the images need, in bytes.
    package var cost = 0

    /// Creates counts that are all 0.
    package init() {}
}
