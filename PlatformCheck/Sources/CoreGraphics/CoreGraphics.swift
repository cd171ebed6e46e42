/// Stands for the framework CoreGraphics of Apple platforms.
@_exported public import AppleFoundation

/// An image of the given size. The stand-in has no pixels.
public class CGImage {
    public let width: Int
    public let height: Int
    public var bytesPerRow: Int { width * 4 }

    /// Creates an image, as the frameworks do when they decode.
    @_spi(Fakes) public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }
}

public class CGColor {
    @_spi(Fakes) public init() {}
}
