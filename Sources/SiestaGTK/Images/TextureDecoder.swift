#if GTK
import CGTK
public import Foundation
public import SiestaUI

/// Decodes PNG, JPEG and GIF files to textures, and WebP files if GdkPixbuf has a loader for them.
///
/// The decoder works on any thread, and on several at once. It rotates an image according to its Exif orientation, and
/// shrinks it to the requested size. It decodes only the first frame of an animation.
///
/// The size that the file states is checked before any memory is allocated for pixels. The cost of a decoded image is four
/// bytes for each pixel. While a PNG or GIF file is decoded, its full size takes as many bytes; a JPEG file is decoded
/// near the requested size.
public struct TextureDecoder: ImageDecoding {
    /// The maximum number of pixels that a file may state. Default: 40 million, which need 160 MB while they are decoded.
    public var maximumPixels: Int

    /// Creates a decoder.
    public init(maximumPixels: Int = 40_000_000) { self.maximumPixels = maximumPixels }

    /// Decodes an image. Blocks the thread until it is decoded.
    ///
    /// - Parameters:
    ///   - data: The bytes of the file.
    ///   - size: The maximum size of the image, in pixels. A larger image is scaled down to fit, with its aspect ratio
    ///     preserved; a smaller one is not enlarged. Nil means full size.
    /// - Throws: `ImageDecodingError`.
    public func decode(_ data: Data, fitting size: PixelSize?) throws -> DecodedImage<TextureImage> {
        try data.withUnsafeBytes { bytes in
            guard let header = ImageHeader(ImageBytes(bytes)) else { throw ImageDecodingError.unknownFormat }
            guard header.size.count <= maximumPixels else { throw ImageDecodingError.tooLarge }
            guard header.isComplete(ImageBytes(bytes)) else { throw ImageDecodingError.damaged("The end is missing") }
            if header.format == .jpeg, !ImageHeader.hasFewScans(ImageBytes(bytes)) {
                throw ImageDecodingError.damaged("Too many scans")
            }
            let fitted = header.size.fitted(into: Self.limited(header.isTurned ? size?.turned : size))
            let end = header.format == .gif ? ImageHeader.endOfFirstFrame(inGIF: ImageBytes(bytes)) : nil
            return try Pixbuf(.init(rebasing: bytes[..<(end ?? bytes.count)]), header, fitted).image()
        }
    }

    /// Returns the box with sides that all renderers of GTK draw, which is 16 384 pixels at most.
    private static func limited(_ box: PixelSize?) -> PixelSize {
        PixelSize(width: min(box?.width ?? .max, 16_384), height: min(box?.height ?? .max, 16_384))
    }
}

extension PixelSize {
    fileprivate var turned: PixelSize { PixelSize(width: height, height: width) }
}
#endif
