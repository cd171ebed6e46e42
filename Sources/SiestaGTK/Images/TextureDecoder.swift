#if GTK
import CGTK
public import Foundation
public import SiestaUI

/// An image decoder for GTK. It decodes PNG, JPEG and GIF files, and WebP files if GdkPixbuf has a loader for them.
///
/// Several threads may use a decoder at once. It rotates an image according to its Exif orientation, and shrinks it to
/// the requested size. It decodes only the first frame of an animation.
///
/// The decoder checks the size that the file declares before it allocates memory for pixels. The decoded image takes
/// four bytes for each pixel. A PNG or GIF file is first decoded at its full size, which also takes four bytes for each
/// pixel. A JPEG file is decoded at about the requested size.
public struct TextureDecoder: ImageDecoding {
    /// The maximum number of pixels that a file may declare. The default is 40 million. Decoding this number of pixels
    /// takes 160 MB.
    public var maximumPixels: Int

    /// Creates a decoder with a limit on the number of pixels that a file may declare.
    public init(maximumPixels: Int = 40_000_000) { self.maximumPixels = maximumPixels }

    /// Decodes an image. Blocks the thread until the image is decoded.
    ///
    /// - Parameters:
    ///   - data: The bytes of the file.
    ///   - size: The maximum size of the decoded image, in pixels. A larger image is scaled down proportionally to fit.
    ///     A smaller image is not enlarged. If the size is nil, the image keeps its size unless a side exceeds 16 384
    ///     pixels.
    /// - Throws: An error if the data is not an image, is damaged, or declares more pixels than ``maximumPixels``.
    public func decode(_ data: Data, fitting size: PixelSize?) throws -> DecodedImage<TextureImage> {
        try data.withUnsafeBytes { bytes in
            guard let header = ImageHeader(ImageBytes(bytes)) else { throw ImageDecodingError.unknownFormat }
            guard header.size.count <= maximumPixels else { throw ImageDecodingError.tooLarge }
            guard header.isComplete(ImageBytes(bytes)) else { throw ImageDecodingError.damaged("The end is missing") }
            if header.format == .jpeg, !ImageHeader.hasFewScans(ImageBytes(bytes)) {
                throw ImageDecodingError.damaged("Too many scans")
            }
            let fitted = header.size.fitted(into: Self.limited(header.isTurned ? size?.turned : size))
            let parts = try imageParts(ImageBytes(bytes), header)
            return try Pixbuf(parts.map { .init(rebasing: bytes[$0]) }, header, fitted).image()
        }
    }

    /// Returns the ranges of a complete file that the loader needs for the image.
    private func imageParts(_ bytes: ImageBytes, _ header: ImageHeader) throws(ImageDecodingError) -> [Range<Int>] {
        switch header.format {
        case .png: return ImageHeader.imageParts(ofPNG: bytes)
        case .jpeg, .webp: return [0..<bytes.count]
        case .gif:
            guard let frame = ImageHeader.firstFrame(inGIF: bytes) else { throw .damaged("The end is missing") }
            guard frame.size.count <= maximumPixels else { throw .tooLarge }
            return [0..<frame.end]
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
