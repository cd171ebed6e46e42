#if canImport(ImageIO)
public import SiestaCore

/// An image that ``ImageIODecoder`` has decoded: a `UIImage`, on macOS an `NSImage`.
///
/// Any thread may use the image. Do not modify the image.
public struct LoadedImage: @unchecked Sendable {
    // Unchecked because the SDK of macOS need not declare `NSImage` as `Sendable`. Nothing changes the image after it was made.

    /// The image, in the image type of the system.
    public let image: SiestaCore.ImageContent

    /// Creates a value from an image that is no longer modified.
    public init(_ image: SiestaCore.ImageContent) {
        self.image = image
    }
}
#endif
