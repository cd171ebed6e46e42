#if canImport(ImageIO)
import CoreGraphics
public import Foundation
import ImageIO
import SiestaCore

#if canImport(UIKit)
import UIKit
#elseif canImport(AppKit)
import AppKit
#endif

/// An image decoder for Apple platforms, based on the framework ImageIO.
///
/// The decoder decodes an image directly at the requested size, and never enlarges it. It applies the orientation that
/// the file declares. From an animated image, it decodes only the first frame. The decoder accepts the formats of
/// ImageIO. It also accepts a `UIImage` or `NSImage` that the pipeline of a service has already created.
///
/// - Note: This code was type-checked against stand-ins for Apple's frameworks, and has never been built with Xcode.
public struct ImageIODecoder: ImageDecoding {
    /// The maximum number of pixels that a file may declare. The default is 50 million. An image with this number of
    /// pixels takes 200 MB at full size.
    public var maximumPixelCount: Int

    /// The error for data that is no image, or an image with too many pixels.
    struct Unreadable: Error {}

    /// Creates a decoder with a limit on the number of pixels that a file may declare.
    public init(maximumPixelCount: Int = 50_000_000) {
        self.maximumPixelCount = maximumPixelCount
    }

    /// Decodes an image at a size that fits into `size`, or at its full size if `size` is nil. Throws an error if the
    /// data is not an image, or declares more pixels than ``maximumPixelCount``.
    public func decode(_ data: Data, fitting size: PixelSize?) throws -> DecodedImage<LoadedImage> {
        let uncached = [kCGImageSourceShouldCache: false] as CFDictionary
        guard let source = CGImageSourceCreateWithData(data as CFData, uncached), let full = Self.size(of: source)
        else {
            throw Unreadable()
        }
        guard full.count <= maximumPixelCount else { throw Unreadable() }
        let fitted = full.fitted(into: size)
        guard let bitmap = CGImageSourceCreateThumbnailAtIndex(source, 0, Self.options(fitted)) else {
            throw Unreadable()
        }
        let pixelSize = PixelSize(width: bitmap.width, height: bitmap.height)
        return DecodedImage(
            LoadedImage(SiestaCore.ImageContent(bitmap)), pixelSize: pixelSize, cost: bitmap.bytesPerRow * bitmap.height
        )
    }

    /// Returns an image source if `content` is `Data`, a `UIImage` or an `NSImage`. Otherwise, returns nil.
    public func source(of content: Any) -> ImageSource<LoadedImage>? {
        if let data = content as? Data { return .data(data) }
        guard let image = content as? SiestaCore.ImageContent else { return nil }
        let pixelSize = PixelSize(width: Int(image.size.width), height: Int(image.size.height))
        return .image(DecodedImage(LoadedImage(image), pixelSize: pixelSize))
    }

    /// Returns the size of the image as it is shown, after its rotation.
    private static func size(of source: CGImageSource) -> PixelSize? {
        guard let properties = CGImageSourceCopyPropertiesAtIndex(source, 0, nil) as? [CFString: Any],
            let width = properties[kCGImagePropertyPixelWidth] as? Int,
            let height = properties[kCGImagePropertyPixelHeight] as? Int, width > 0, height > 0
        else { return nil }
        let orientation = properties[kCGImagePropertyOrientation] as? Int ?? 1
        // TIFF 6.0, tag Orientation: the values from 5 to 8 exchange rows and columns.
        return orientation >= 5 ? PixelSize(width: height, height: width) : PixelSize(width: width, height: height)
    }

    private static func options(_ size: PixelSize) -> CFDictionary {
        let options: [CFString: Any] = [
            kCGImageSourceCreateThumbnailFromImageAlways: true,
            kCGImageSourceCreateThumbnailWithTransform: true,
            kCGImageSourceShouldCacheImmediately: true,
            kCGImageSourceThumbnailMaxPixelSize: max(size.width, size.height),
        ]
        return options as CFDictionary
    }
}

extension SiestaCore.ImageContent {
    /// Creates an image with one point for each pixel.
    fileprivate convenience init(_ bitmap: CGImage) {
        #if canImport(UIKit)
        self.init(cgImage: bitmap)
        #else
        self.init(cgImage: bitmap, size: CGSize(width: bitmap.width, height: bitmap.height))
        #endif
    }
}

extension ImageStore where Decoder == ImageIODecoder {
    /// The store that the views of this module use by default.
    public static var shared: ImageStore { sharedImages }
}

@MainActor private let sharedImages = ImageStore(decoder: ImageIODecoder())
#endif
