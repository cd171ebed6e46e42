#if canImport(ImageIO)
public import SiestaCore

/// An image that ``ImageIODecoder`` has decoded: a `UIImage` or, on macOS, an `NSImage`.
///
/// Any thread may use the image. Do not modify the image.
public struct LoadedImage: @unchecked Sendable {
    // Unchecked because the SDK of macOS need not declare `NSImage` as `Sendable`. Nothing changes the image after it was made.

    /// The image, as a `UIImage` or an `NSImage`.
    public let image: SiestaCore.ImageContent

    /// Creates a loaded image. Do not modify `image` afterwards.
    public init(_ image: SiestaCore.ImageContent) {
        self.image = image
    }
}
#endif
