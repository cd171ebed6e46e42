/// Stands for the framework ImageIO of Apple platforms. It decodes one format: the text `WIDTHxHEIGHT`, such as `640x480`.
@_exported @_spi(Fakes) public import CoreGraphics
private import Foundation

public class CGImageSource {
    fileprivate let size: (width: Int, height: Int)

    fileprivate init?(_ data: Data) {
        let parts = String(decoding: data, as: UTF8.self).split(separator: "x").compactMap { Int($0) }
        guard parts.count == 2 else { return nil }
        size = (parts[0], parts[1])
    }
}

public func CGImageSourceCreateWithData(_ data: NSData, _ options: NSDictionary?) -> CGImageSource? {
    CGImageSource(Data(referencing: data))
}

public func CGImageSourceCreateThumbnailAtIndex(
    _ isrc: CGImageSource, _ index: Int, _ options: NSDictionary?
) -> CGImage? {
    guard index == 0, let edge = options?[kCGImageSourceThumbnailMaxPixelSize] as? Int else { return nil }
    let scale = min(1, Double(edge) / Double(max(isrc.size.width, isrc.size.height)))
    return CGImage(
        width: Int((Double(isrc.size.width) * scale).rounded()),
        height: Int((Double(isrc.size.height) * scale).rounded()))
}

public func CGImageSourceCreateImageAtIndex(
    _ isrc: CGImageSource, _ index: Int, _ options: NSDictionary?
) -> CGImage? {
    index == 0 ? CGImage(width: isrc.size.width, height: isrc.size.height) : nil
}

public func CGImageSourceCopyPropertiesAtIndex(
    _ isrc: CGImageSource, _ index: Int, _ options: NSDictionary?
) -> NSDictionary? {
    let properties: [NSString: Int] = [
        kCGImagePropertyPixelWidth: isrc.size.width, kCGImagePropertyPixelHeight: isrc.size.height,
    ]
    return index == 0 ? properties as NSDictionary : nil
}

// On Apple platforms, these are variables of C with the type `CFString`, which Swift imports as constants.
nonisolated(unsafe) public let kCGImageSourceShouldCache: NSString = "kCGImageSourceShouldCache"
nonisolated(unsafe) public let kCGImageSourceShouldCacheImmediately: NSString = "kCGImageSourceShouldCacheImmediately"
nonisolated(unsafe) public let kCGImageSourceCreateThumbnailFromImageAlways: NSString =
    "kCGImageSourceCreateThumbnailFromImageAlways"
nonisolated(unsafe) public let kCGImageSourceCreateThumbnailWithTransform: NSString =
    "kCGImageSourceCreateThumbnailWithTransform"
nonisolated(unsafe) public let kCGImageSourceThumbnailMaxPixelSize: NSString = "kCGImageSourceThumbnailMaxPixelSize"
nonisolated(unsafe) public let kCGImagePropertyPixelWidth: NSString = "PixelWidth"
nonisolated(unsafe) public let kCGImagePropertyPixelHeight: NSString = "PixelHeight"
nonisolated(unsafe) public let kCGImagePropertyOrientation: NSString = "Orientation"
