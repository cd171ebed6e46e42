import TestKit
import Testing

@testable import EmbeddedGitHub

@Suite("An image becomes a PNG file", .timeLimit(.test))
struct PNGTests {
    @Test("with the checksums that the specifications give as examples")
    func checksums() {
        #expect(CRC32("123456789".utf8).value == 0xCBF4_3926)
        #expect(CRC32([]).value == 0)
        #expect(Adler32("Wikipedia".utf8).value == 0x11E6_0398)
        #expect(Adler32([UInt8](repeating: 255, count: 100_000)).value == 0x149A_302C)
    }

    @Test("whose pixels can be read again, in any size", arguments: [1, 2, 3, 4, 5, 64, 511, 512])
    func sizes(size: Int) throws {
        let image = Identicon(of: "mira-sato").image(size: size)
        let reader = try PNGReader(image.file)
        #expect(reader.chunks.map(\.name) == ["IHDR", "PLTE", "IDAT", "IEND"])
        #expect((reader.width, reader.height) == (size, size))
        #expect(reader.pixels == image.pixels)
        #expect(reader.chunks[1].data.count == 9)
    }

    @Test("in more than one block if it is large")
    func blocks() throws {
        let pixels = (0..<600 * 500).map { UInt8($0 % 3) }
        let palette = Identicon(of: "").image(size: 1).palette
        let image = PNG(palette: palette, width: 600, height: 500, pixels: pixels)
        #expect(try PNGReader(image.file).pixels == pixels)
    }

    @Test("symmetric, and the same on every run")
    func identicon() {
        let image = Identicon(of: "mira-sato").image(size: 14)
        #expect(image == Identicon(of: "mira-sato").image(size: 14))
        let rows = stride(from: 0, to: image.pixels.count, by: 14).map { Array(image.pixels[$0..<$0 + 14]) }
        #expect(rows.allSatisfy { $0 == $0.reversed() })
        #expect(EntityTag(of: image.file).opaque == "bd83674b0fe112c926920cc2e6b0c536")
    }

    @Test("that differs from account to account")
    func distinct() {
        let files = Set(Catalogue.shared.everybody.map { Identicon(of: $0.login).image(size: 14).file })
        #expect(files.count == Catalogue.shared.everybody.count)
    }
}
