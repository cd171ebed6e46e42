public import Foundation
// Placeholder of this clone.
public struct PixelSize: Hashable, Sendable {
    public var width: Int
    public var height: Int
    public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }
}
public protocol ImageDecoding: Sendable {
    associatedtype Image: Sendable
    func decode(_ data: Data, fitting size: PixelSize?) throws -> DecodedImage<Image>
}
public struct DecodedImage<Image: Sendable>: Sendable {
    public let image: Image
    public let pixelSize: PixelSize
    public let cost: Int
    public init(image: Image, pixelSize: PixelSize, cost: Int) {
        (self.image, self.pixelSize, self.cost) = (image, pixelSize, cost)
    }
}
