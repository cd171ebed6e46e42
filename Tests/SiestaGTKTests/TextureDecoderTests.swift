#if GTK
import Foundation
import SiestaGTK
import SiestaUI
import TestKit
import Testing

@Suite(.timeLimit(.test)) struct TextureDecoderTests {
    private let red: [UInt8] = [0, 0, 255, 255]
    private let blue: [UInt8] = [255, 0, 0, 255]

    @Test(arguments: ["png", "jpeg"])
    func anImageIsDecodedInFullSize(format: String) throws {
        let decoded = try TextureDecoder().decode(SampleImages.file(format, width: 64, height: 32), fitting: nil)
        #expect(decoded.pixelSize == PixelSize(width: 64, height: 32))
        #expect(decoded.cost == 64 * 32 * 4)
        expect(decoded.image, [(8, 16, red), (56, 16, blue)])
    }

    @Test(arguments: ["png", "jpeg"])
    func anImageIsShrunkIntoTheBoxAndNeverEnlarged(format: String) throws {
        let file = try SampleImages.file(format, width: 640, height: 320)
        let small = try TextureDecoder().decode(file, fitting: PixelSize(width: 50, height: 50))
        #expect(small.pixelSize == PixelSize(width: 50, height: 25))
        #expect(small.cost == 50 * 25 * 4)
        expect(small.image, [(5, 12, red), (45, 12, blue)])
        let same = try TextureDecoder().decode(file, fitting: PixelSize(width: 5000, height: 5000))
        #expect(same.pixelSize == PixelSize(width: 640, height: 320))
    }

    /// The left half is red. Orientation 6 turns it to the top, 8 to the bottom, and 2 and 3 to the right.
    @Test(arguments: [
        (1, 80, 40, 10, 20, 70, 20), (2, 80, 40, 70, 20, 10, 20), (3, 80, 40, 70, 20, 10, 20),
        (6, 40, 80, 20, 10, 20, 70), (8, 40, 80, 20, 70, 20, 10),
    ])
    func theOrientationIsAppliedBeforeTheSize(
        orientation: Int, width: Int, height: Int, redX: Int, redY: Int, blueX: Int, blueY: Int
    ) throws {
        let file = try SampleImages.jpeg(
            width: 800, height: 400, orientation: UInt8(orientation), bigEndian: orientation % 2 == 0)
        let box = PixelSize(width: width, height: height)
        let decoded = try TextureDecoder().decode(file, fitting: box)
        #expect(decoded.pixelSize == box)
        expect(decoded.image, [(redX, redY, red), (blueX, blueY, blue)])
    }

    @Test func aFileThatStatesAHugeImageFailsWithoutMemoryForIt() throws {
        let before = Self.peakMemory()
        let file = SampleImages.pngHeader(width: 50_000, height: 50_000)
        #expect(throws: ImageDecodingError.tooLarge) { try TextureDecoder().decode(file, fitting: nil) }
        #expect(throws: ImageDecodingError.tooLarge) {
            try TextureDecoder().decode(file, fitting: PixelSize(width: 10, height: 10))
        }
        #expect(Self.peakMemory() - before < 50_000)
    }

    @Test func aSideHasNoMorePixelsThanARendererDraws() throws {
        let file = try SampleImages.file("png", width: 32_768, height: 64)
        #expect(try TextureDecoder().decode(file, fitting: nil).pixelSize == PixelSize(width: 16_384, height: 32))
    }

    /// The smallest GIF file: one pixel.
    @Test func aGIFIsDecodedUnlessItIsIncomplete() throws {
        let header: [UInt8] = [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 255, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0]
        let file = Data("GIF89a".utf8) + header + [2, 2, 0x44, 1, 0, 0x3B]
        let decoded = try TextureDecoder().decode(file, fitting: nil)
        #expect(decoded.pixelSize == PixelSize(width: 1, height: 1))
        expect(decoded.image, [(0, 0, blue)])
        #expect(throws: ImageDecodingError.self) { try TextureDecoder().decode(file.prefix(25), fitting: nil) }
    }

    @Test func theLimitOfPixelsCanBeSet() throws {
        let file = try SampleImages.file("png", width: 100, height: 100)
        #expect(try TextureDecoder(maximumPixels: 10_000).decode(file, fitting: nil).cost == 40_000)
        #expect(throws: ImageDecodingError.tooLarge) {
            try TextureDecoder(maximumPixels: 9_999).decode(file, fitting: nil)
        }
    }

    @Test(arguments: ["png", "jpeg"])
    func aFileWithoutItsEndFails(format: String) throws {
        let file = try SampleImages.file(format, width: 64, height: 64)
        for length in [file.count / 4, file.count / 2, file.count - 8] {
            #expect(throws: ImageDecodingError.self) {
                try TextureDecoder().decode(file.prefix(length), fitting: nil)
            }
        }
    }

    @Test(arguments: [
        "", "hello", "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>", "GIF89a\u{1}\0\u{1}\0",
    ])
    func otherFilesFail(text: String) {
        #expect(throws: ImageDecodingError.self) { try TextureDecoder().decode(Data(text.utf8), fitting: nil) }
    }

    /// Changed bytes may give another image or a failure, but no crash, no warning of GLib, and no huge memory.
    @Test(arguments: ["png", "jpeg"])
    func damagedFilesNeitherCrashNorGrow(format: String) throws {
        let file = try SampleImages.file(format, width: 24, height: 24)
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<TestLevel.count(100, nightly: 2_000) {
            var changed = file
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                changed[Int.random(in: 0..<file.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            let decoded = try? TextureDecoder(maximumPixels: 100_000).decode(
                changed, fitting: PixelSize(width: 12, height: 12))
            #expect((decoded?.cost ?? 0) <= 12 * 12 * 4)
        }
    }

    @Test func manyImagesAreDecodedAtOnceOffTheMainActor() async throws {
        let files = try ["png", "jpeg"].map { try SampleImages.file($0, width: 200, height: 100) }
        let total = try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 0..<90 {
                group.addTask { @concurrent in
                    let size = PixelSize(width: 40 + index % 5, height: 40)
                    return try TextureDecoder().decode(files[index % 2], fitting: size).pixelSize.width
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(total == 90 / 5 * (40 + 41 + 42 + 43 + 44))
    }

    private func expect(_ image: TextureImage, _ pixels: [(x: Int, y: Int, color: [UInt8])]) {
        for (x, y, color) in pixels {
            let found = SampleImages.pixel(image.texture, x: x, y: y)
            // A JPEG file stores colours inexactly.
            #expect(zip(found, color).allSatisfy { abs(Int($0) - Int($1)) < 8 }, "\(found) at \(x), \(y)")
        }
    }

    /// The largest memory of the process so far, in kilobytes.
    private static func peakMemory() -> Int {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        return usage.ru_maxrss
    }

    @Test func aGIFWithAFrameAboveTheLimitOfPixelsIsRefused() {
        let screen: [UInt8] = [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 255, 0, 0, 0]
        let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 0, 0x50, 0, 0x50, 0, 2, 2, 0x44, 1, 0, 0x3B]  // 20 480 by 20 480
        let file = Data("GIF89a".utf8) + screen + frame
        #expect(throws: ImageDecodingError.tooLarge) { try TextureDecoder().decode(file, fitting: nil) }
    }
}
#endif
