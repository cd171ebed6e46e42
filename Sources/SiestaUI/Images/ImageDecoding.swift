public import Foundation
import SiestaCore

/// A type that decodes images for a UI toolkit.
///
/// The library contains decoders for GTK and for Apple platforms. Several threads may call a decoder at once.
/// Therefore, a decoder must have no mutable state, or must protect its state with a lock.
public protocol ImageDecoding: Sendable {
    /// The image type of the toolkit. Images must be immutable, because any thread may use them.
    associatedtype Image: Sendable

    /// Decodes an image. This method is called on a background thread.
    ///
    /// If possible, decode the image directly at the requested size. A small file can declare a huge size, so check
    /// this size before you allocate memory, and throw an error if it is too large.
    ///
    /// - Parameters:
    ///   - data: The bytes of the file, as the server sent them.
    ///   - size: The size in pixels that the image must fit into. A smaller image is not enlarged. If the size is nil,
    ///     the image keeps its size.
    /// - Throws: An error of any type if the data is not an image that the toolkit can show.
    func decode(_ data: Data, fitting size: PixelSize?) throws -> DecodedImage<Image>

    /// Returns the content of a resource as an image source; nil if the content is not an image. This method is called
    /// on the main thread, and must return quickly. The default implementation accepts `Data` and, on systems without
    /// UIKit and AppKit, `ImageContent`.
    func source(of content: Any) -> ImageSource<Image>?
}

/// An image in the content of a resource: either the bytes of a file, or a decoded image.
public enum ImageSource<Image: Sendable>: Sendable {
    /// The bytes of an image file, which still need to be decoded.
    case data(Data)
    /// An image that the pipeline of the service has already decoded.
    case image(DecodedImage<Image>)
}

/// A decoded image, its size in pixels, and its cost in memory.
public struct DecodedImage<Image: Sendable>: Sendable {
    /// The decoded image, as an instance of the UI toolkit's image type.
    public let image: Image
    /// The size of the image in pixels.
    public let pixelSize: PixelSize
    /// The memory that the image needs, in bytes.
    public let cost: Int

    /// Creates a decoded image. `cost` is in bytes; if it is nil, the cost is 4 bytes for each pixel.
    public init(_ image: Image, pixelSize: PixelSize, cost: Int? = nil) {
        (self.image, self.pixelSize) = (image, pixelSize)
        let pixels = pixelSize.count
        self.cost = max(1, cost ?? (pixels > .max / 4 ? .max : 4 * pixels))
    }
}

extension ImageDecoding {
    /// Returns an image source if `content` is `Data` or, on systems without UIKit and AppKit, an `ImageContent`.
    /// Otherwise, returns nil.
    public func source(of content: Any) -> ImageSource<Image>? {
        if let data = content as? Data { return .data(data) }
        #if !canImport(UIKit) && !canImport(AppKit)
        if let image = content as? SiestaCore.ImageContent { return .data(image.data) }
        #endif
        return nil
    }
}
