/// An image with four colours at most, which becomes a PNG file (ISO/IEC 15948).
///
/// Each pixel has two bits, so the content is small enough to be stored without compression.
struct PNG: Sendable, Equatable {
    /// A colour of the palette.
    struct Color: Sendable, Hashable {
        let red, green, blue: UInt8
    }

    /// The colours, from one to four.
    let palette: [Color]

    /// The width and the height, from 1.
    let (width, height): (Int, Int)

    /// The place in the palette of each pixel, row after row.
    let pixels: [UInt8]

    /// The bytes of the file.
    var file: [UInt8] {
        let header = Self.bytes(UInt32(width)) + Self.bytes(UInt32(height)) + [2, 3, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + Self.chunk("IHDR", header)
            + Self.chunk("PLTE", palette.flatMap { [$0.red, $0.green, $0.blue] })
            + Self.chunk("IDAT", Self.stored(rows))
            + Self.chunk("IEND", [])
    }

    /// The rows, each with a leading byte for no filter, and with four pixels in a byte.
    private var rows: [UInt8] {
        var rows: [UInt8] = []
        rows.reserveCapacity(height * (1 + (width + 3) / 4))
        for row in 0..<height {
            rows.append(0)
            for start in stride(from: 0, to: width, by: 4) {
                let four = (start..<start + 4).map { $0 < width ? pixels[row * width + $0] : 0 }
                rows.append(four.reduce(0) { $0 << 2 | $1 })
            }
        }
        return rows
    }

    /// A zlib stream (RFC 1950) of stored blocks (RFC 1951 section 3.2.4).
    private static func stored(_ data: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: data.count, by: 65_535) {
            let block = data[start..<min(start + 65_535, data.count)]
            let length = UInt16(block.count)
            stream.append(block.endIndex == data.count ? 1 : 0)
            for word in [length, ~length] { stream += [UInt8(truncatingIfNeeded: word), UInt8(word >> 8)] }
            stream += block
        }
        return stream + bytes(Adler32(data).value)
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let checked = Array(name.utf8) + data
        return bytes(UInt32(data.count)) + checked + bytes(CRC32(checked).value)
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
