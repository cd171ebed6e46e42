#if GTK
import SiestaUI

/// The rules that decide the size in which an image is decoded.
enum ImageFit {
    /// The largest side of a texture that all renderers of GTK draw.
    static let maximumSide = 16_384

    /// Returns the largest size with the proportions of the image that fits into the box, and is not larger than the image.
    ///
    /// Each side has one pixel at least. Without a box, only the limit of textures applies.
    static func size(of image: PixelSize, in box: PixelSize?) -> PixelSize {
        let width = min(max(box?.width ?? maximumSide, 1), maximumSide)
        let height = min(max(box?.height ?? maximumSide, 1), maximumSide)
        let scale = min(Double(width) / Double(image.width), Double(height) / Double(image.height), 1)
        return PixelSize(
            width: min(max(Int((Double(image.width) * scale).rounded()), 1), width),
            height: min(max(Int((Double(image.height) * scale).rounded()), 1), height))
    }

    /// True if the image has no more than `limit` pixels.
    static func isAllowed(_ image: PixelSize, limit: Int) -> Bool {
        let (pixels, overflow) = image.width.multipliedReportingOverflow(by: image.height)
        return !overflow && pixels <= limit
    }
}
#endif
