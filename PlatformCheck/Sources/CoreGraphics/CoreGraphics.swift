/// Stands for the framework CoreGraphics of Apple platforms.
@_exported public import AppleFoundation

/// An image of the given size. The stand-in has no pixels.
public class CGImage {
    public var width: Int { size.width }
    public var height: Int { size.height }
    public var bytesPerRow: Int { width * 4 }
    private let size: (width: Int, height: Int)

    /// Creates an image, as the frameworks do when they decode.
    @_spi(Fakes) public init(width: Int, height: Int) { size = (width, height) }
}
