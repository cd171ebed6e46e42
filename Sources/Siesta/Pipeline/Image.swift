#if canImport(UIKit)
public import UIKit

/// The content of image resources: the system's own type.
public typealias Image = UIImage
#elseif canImport(AppKit)
public import AppKit

/// The content of image resources: the system's own type.
public typealias Image = NSImage
#else
public import Foundation

/// The content of image resources where the system has no type of its own: a recognised image, not decoded.
///
/// ``data`` is what a toolkit takes to decode it. Format and size are read from the structure of the data, in linear
/// time and without trusting any length it claims; data that is cut short or of another kind is refused.
public struct Image: Sendable, Hashable {
    /// The image formats that are recognised.
    public enum Format: String, Sendable, CaseIterable {
        /// Portable Network Graphics (ISO/IEC 15948).
        case png
        /// JPEG (ITU-T T.81), in any of its modes.
        case jpeg
        /// Graphics Interchange Format, 87a and 89a.
        case gif
        /// WebP (RFC 9649): lossy, lossless and extended.
        case webp
        /// Windows bitmap.
        case bmp
    }

    /// The format of ``data``.
    public let format: Format

    /// The width in pixels, greater than 0.
    public let pixelWidth: Int

    /// The height in pixels, greater than 0.
    public let pixelHeight: Int

    /// The bytes that the image was made of, unchanged.
    public let data: Data

    /// Recognises an image; nil if the data is not one, is cut short, or has no size.
    public init?(data: Data) {
        let recognisers: [(Format, (ByteReader) -> PixelSize?)] = [
            (.png, PNGStructure.size), (.jpeg, JPEGStructure.size), (.gif, GIFStructure.size),
            (.webp, WebPStructure.size), (.bmp, BMPStructure.size),
        ]
        let reader = ByteReader(data)
        for (format, size) in recognisers {
            guard let size = size(reader), size.width > 0, size.height > 0 else { continue }
            (self.format, pixelWidth, pixelHeight, self.data) = (format, size.width, size.height, data)
            return
        }
        return nil
    }
}

/// A size in pixels, as an image's header gives it.
typealias PixelSize = (width: Int, height: Int)
#endif
