#if canImport(UIKit)
public import UIKit

/// The type of the content of image resources, which is the system's image type.
public typealias ImageContent = UIImage
#if Swift5Clients
/// The name of ``ImageContent`` in Siesta 1.5.
public typealias Image = UIImage
#endif
#elseif canImport(AppKit)
public import AppKit

/// The type of the content of image resources, which is the system's image type.
public typealias ImageContent = NSImage
#if Swift5Clients
/// The name of ``ImageContent`` in Siesta 1.5.
public typealias Image = NSImage
#endif
#else
public import Foundation
import HTTPRules

/// The content of image resources on systems without an image type: an undecoded image whose format and size are known.
///
/// To decode the image, pass ``data`` to a graphics toolkit. The initializer reads the format and the size from the
/// structure of the data, in linear time. It checks every length that the data declares, and returns nil if the data is
/// incomplete or has an unsupported format.
public struct ImageContent: Sendable, Equatable {
    /// The supported image formats.
    package enum Format: Sendable {
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
    package let format: Format

    /// The width in pixels, greater than 0.
    package let pixelWidth: Int

    /// The height in pixels, greater than 0.
    package let pixelHeight: Int

    /// The width and the height in pixels, as the header of the file declares them. Any rotation that is specified in
    /// the metadata of the file is not applied.
    public var size: CGSize { CGSize(width: pixelWidth, height: pixelHeight) }

    /// The bytes of the image file, unchanged.
    public var data: Data { file.value }

    private let file: Hidden<Data>

    /// Creates an image from the bytes of an image file. Returns nil if the format is not supported, if the data is
    /// incomplete, or if the width or the height of the image is 0.
    public init?(data: Data) {
        let recognisers: [(Format, (ByteReader) -> PixelSize?)] = [
            (.png, PNGStructure.size), (.jpeg, JPEGStructure.size), (.gif, GIFStructure.size),
            (.webp, WebPStructure.size), (.bmp, BMPStructure.size),
        ]
        let reader = ByteReader(data)
        for (format, size) in recognisers {
            guard let size = size(reader), size.width > 0, size.height > 0 else { continue }
            (self.format, pixelWidth, pixelHeight, file) = (format, size.width, size.height, Hidden(data))
            return
        }
        return nil
    }
}

/// A size in pixels, as the header of an image declares it.
typealias PixelSize = (width: Int, height: Int)
#endif
