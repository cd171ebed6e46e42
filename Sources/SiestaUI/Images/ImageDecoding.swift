public import Foundation
import SiestaCore

/// A decoder of images for a toolkit.
///
/// `SiestaGTK` and the views for Apple platforms have decoders. Several threads may call a decoder at once. Therefore,
/// a decoder must have no mutable state, or protect its state with a lock.
public protocol ImageDecoding: Sendable {
    /// The image type of the toolkit. Images must be immutable, because any thread may use them.
    associatedtype Image: Sendable

    /// Decodes an image. This method is called on a background thread.
    ///
    /// Implementations must decode at the requested size, and must not allocate memory for the size that the data
    /// declares. If the data declares too many pixels, throw an error.
    ///
    /// - Parameters:
    ///   - data: The bytes of the file, as the server sent them.
    ///   - size: The size in pixels that the image must fit into. A smaller image is not enlarged. If the size is nil,
    ///     the image keeps its size.
    /// - Throws: Any error, if the data is not an image that the toolkit can show.
    func decode(_ data: Data, fitting size: PixelSize?) throws -> DecodedImage<Image>

    /// Returns the source of an image from the content of a resource; nil if the content is not an image. This method
    /// is called on the main thread, and must be quick. The default implementation accepts `Data` and, on systems
    /// without UIKit and AppKit, `ImageContent`.
    func source(of content: Any) -> ImageSource<Image>?
}

/// The source of an image.
public enum ImageSource<Image: Sendable>: Sendable {
    /// The bytes of a file, which must be decoded.
    case data(Data)
    /// An image that the pipeline of the service has decoded.
    case image(DecodedImage<Image>)
}

/// An image, and its cost in memory.
public struct DecodedImage<Image: Sendable>: Sendable {
    /// The image.
    public let image: Image
    /// The size of the image in pixels.
    public let pixelSize: PixelSize
    /// The memory that the image needs, in bytes.
    public let cost: Int

    /// Creates an image. The cost is in bytes; the default is 4 bytes for each pixel.
    public init(_ image: Image, pixelSize: PixelSize, cost: Int? = nil) {
        (self.image, self.pixelSize) = (image, pixelSize)
        let pixels = pixelSize.count
        self.cost = max(1, cost ?? (pixels > .max / 4 ? .max : 4 * pixels))
    }
}

extension ImageDecoding {
    /// Accepts `Data`. On systems without UIKit and AppKit, also accepts `ImageContent`.
    public func source(of content: Any) -> ImageSource<Image>? {
        if let data = content as? Data { return .data(data) }
        #if !canImport(UIKit) && !canImport(AppKit)
        if let image = content as? SiestaCore.ImageContent { return .data(image.data) }
        #endif
        return nil
    }
}
