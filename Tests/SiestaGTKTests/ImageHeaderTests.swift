#if GTK
import Foundation
import SiestaUI
import TestKit
import Testing

@testable import SiestaGTK

@Suite(.timeLimit(.test)) struct ImageHeaderTests {
    private func header(_ data: Data) -> ImageHeader? { data.withUnsafeBytes { ImageHeader(ImageBytes($0)) } }

    @Test(arguments: ["png", "jpeg"])
    func theHeaderOfAFileHasItsFormatAndSize(format: String) throws {
        let header = try #require(try header(SampleImages.file(format, width: 70, height: 30)))
        #expect(header.format.rawValue == format)
        #expect(header.size == PixelSize(width: 70, height: 30))
        #expect(!header.isTurned)
    }

    @Test func gifAndWebPFilesHaveTheirSizeInTheFirstBytes() {
        #expect(header(Data("GIF89a".utf8) + [0x40, 0x01, 0xF0, 0x00])?.size == PixelSize(width: 320, height: 240))
        let riff = Data("RIFF".utf8) + [0, 0, 0, 0] + Data("WEBP".utf8)
        let extended = riff + Data("VP8X".utf8) + [10, 0, 0, 0, 0, 0, 0, 0, 0x3F, 0x01, 0, 0xEF, 0, 0]
        #expect(header(extended)?.size == PixelSize(width: 320, height: 240))
        let lossless = riff + Data("VP8L".utf8) + [5, 0, 0, 0, 0x2F, 0x3F, 0xC1, 0x3B, 0x00]
        #expect(header(lossless)?.size == PixelSize(width: 320, height: 240))
        let lossy = riff + Data("VP8 ".utf8) + [9, 0, 0, 0, 0, 0, 0, 0x9D, 0x01, 0x2A, 0x40, 0x01, 0xF0, 0x00]
        #expect(header(lossy)?.size == PixelSize(width: 320, height: 240))
    }

    @Test(arguments: 0...9, [true, false])
    func fourOfTheEightOrientationsTurnTheImage(orientation: Int, bigEndian: Bool) throws {
        let file = try SampleImages.jpeg(width: 60, height: 40, orientation: UInt8(orientation), bigEndian: bigEndian)
        #expect(header(file)?.isTurned == (5...8).contains(orientation))
    }

    @Test(arguments: ["", "BM", "GIF89", "<svg width='10' height='10'/>", "/* XPM */", "RIFF0000WEBP", "plain text"])
    func otherBytesAreNoHeader(text: String) {
        #expect(header(Data(text.utf8)) == nil)
    }

    @Test func anImageWithoutPixelsIsNoHeader() {
        #expect(header(SampleImages.pngHeader(width: 0, height: 5)) == nil)
        #expect(header(SampleImages.pngHeader(width: 5, height: 0)) == nil)
    }

    /// Many segments refer to one directory, which has as many entries as there are segments.
    private func fileWithExifSegments(count: Int) -> Data {
        func bigEndian<Number: FixedWidthInteger>(_ number: Number) -> Data {
            withUnsafeBytes(of: number.bigEndian) { Data($0) }
        }
        let frame: [UInt8] = [0xFF, 0xC0, 0, 17, 8, 0, 20, 0, 30, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]
        let directory = 2 + 18 * count + frame.count
        var file = Data([0xFF, 0xD8])
        for _ in 0..<count {
            let tiff = file.count + 10
            file += [0xFF, 0xE1, 0, 16] + Array("Exif\0\0".utf8) + [0x4D, 0x4D, 0, 42]
            file += bigEndian(UInt32(directory - tiff))
        }
        return file + frame + bigEndian(UInt16(count)) + Data(count: 12 * count)
    }

    @Test func theTimeForManyExifSegmentsIsProportionalToTheirNumber() throws {
        let found = try #require(header(fileWithExifSegments(count: 3)))
        #expect(found.size == PixelSize(width: 30, height: 20))
        #expect(!found.isTurned)
        let growth = Growth(of: 1_000, fileWithExifSegments) { _ = header($0) }
        #expect(growth.isBounded, "\(growth)")
    }

    /// Each prefix of a file, and each file with one changed byte, must be read without a trap.
    @Test(arguments: ["png", "jpeg"])
    func damagedFilesAreRead(format: String) throws {
        let file =
            format == "jpeg"
            ? try SampleImages.jpeg(width: 9, height: 9, orientation: 6, bigEndian: true)
            : try SampleImages.file(format, width: 9, height: 9)
        for length in 0..<file.count { _ = header(file.prefix(length)) }
        for position in 0..<min(file.count, 300) {
            for value in [0x00, 0x01, 0x7F, 0x80, 0xFF] as [UInt8] {
                var changed = file
                changed[position] = value
                _ = header(changed)
            }
        }
    }

    @Test func textsOfAPNGFileAreLeftOut() throws {
        let file = try SampleImages.file("png", width: 9, height: 9)
        let text = Data([0, 0, 0, 2]) + Data("zTXt".utf8) + Data([1, 2, 0, 0, 0, 0])
        let changed = file.prefix(33) + text + text + file.dropFirst(33)
        let parts = changed.withUnsafeBytes { ImageHeader.imageParts(ofPNG: ImageBytes($0)) }
        let kept = Data(parts.map { Array(changed)[$0] }.joined())
        #expect(kept.range(of: Data("zTXt".utf8)) == nil)
        #expect(kept.range(of: Data("IDAT".utf8)) != nil)
        #expect(try TextureDecoder().decode(changed, fitting: nil).pixelSize == PixelSize(width: 9, height: 9))
    }
}
#endif
