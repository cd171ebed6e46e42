import Foundation
import SiestaUI
import TestKit
import Testing

@Suite(.timeLimit(.test))
struct ImageIODecoderTests {
    private let decoder = ImageIODecoder()

    private func size(_ text: String, fitting size: PixelSize?) throws -> PixelSize {
        try decoder.decode(Data(text.utf8), fitting: size).pixelSize
    }

    @Test func `An image is decoded in the largest size that fits`() throws {
        #expect(try size("1000x500", fitting: PixelSize(width: 100, height: 100)) == PixelSize(width: 100, height: 50))
        #expect(try size("500x1000", fitting: PixelSize(width: 100, height: 80)) == PixelSize(width: 40, height: 80))
    }

    @Test func `An image is never enlarged`() throws {
        #expect(try size("10x5", fitting: PixelSize(width: 100, height: 100)) == PixelSize(width: 10, height: 5))
        #expect(try size("10x5", fitting: nil) == PixelSize(width: 10, height: 5))
    }

    @Test func `The cost is the memory of the bitmap`() throws {
        #expect(try decoder.decode(Data("10x5".utf8), fitting: nil).cost == 200)
    }

    @Test func `Data that is no image, and images with too many pixels, are refused`() {
        #expect(throws: (any Error).self) { try size("no image", fitting: nil) }
        #expect(throws: (any Error).self) { try size("0x5", fitting: nil) }
        #expect(throws: (any Error).self) { try size("100000x100000", fitting: nil) }
        #expect(throws: (any Error).self) {
            try size("100000x100000", fitting: PixelSize(width: 100, height: 100))
        }
    }

    @Test func `Bytes and images of the system are sources, other content is not`() {
        guard case .data = decoder.source(of: Data()) else { return #expect(Bool(false), "Data is a source.") as Void }
        guard case .image(let image) = decoder.source(of: SystemImage(width: 3, height: 4)) else {
            return #expect(Bool(false), "An image is a source.") as Void
        }
        #expect(image.pixelSize == PixelSize(width: 3, height: 4))
        #expect(decoder.source(of: "text") == nil)
    }
}
