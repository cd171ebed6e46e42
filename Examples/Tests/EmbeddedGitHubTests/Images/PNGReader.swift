@testable import EmbeddedGitHub

/// Reads the PNG files that the server makes: a palette, two bits for a pixel, and stored blocks. Everything else fails.
struct PNGReader {
    /// The chunks in their order.
    private(set) var chunks: [(name: String, data: [UInt8])] = []
    let width: Int
    let height: Int
    /// The places in the palette, row after row.
    private(set) var pixels: [UInt8] = []

    init(_ file: [UInt8]) throws {
        try check(file.prefix(8) == [137, 80, 78, 71, 13, 10, 26, 10])
        var rest = file.dropFirst(8)
        while !rest.isEmpty {
            let length = Int(try Self.number(&rest))
            let name = Array(rest.prefix(4))
            let checked = Array(rest.prefix(4 + length))
            try check(checked.count == 4 + length)
            rest = rest.dropFirst(4 + length)
            try check(try Self.number(&rest) == CRC32(checked).value)
            chunks.append((String(decoding: name, as: UTF8.self), Array(checked.dropFirst(4))))
        }
        var header = chunks.first?.data[...] ?? []
        (width, height) = (Int(try Self.number(&header)), Int(try Self.number(&header)))
        try check(Array(header) == [2, 3, 0, 0, 0])
        pixels = try Self.pixels(of: Self.inflated(chunks.filter { $0.name == "IDAT" }.flatMap(\.data)), width, height)
    }

    /// A file that is no PNG file of the server.
    struct Malformed: Error {}

    private static func pixels(of rows: [UInt8], _ width: Int, _ height: Int) throws -> [UInt8] {
        let length = 1 + (width + 3) / 4
        try check(rows.count == length * height)
        return try (0..<height).flatMap { row in
            let bytes = rows[row * length..<(row + 1) * length]
            try check(bytes.first == 0)
            let pixels = bytes.dropFirst().flatMap { byte in [6, 4, 2, 0].map { byte >> $0 & 3 } }
            return pixels.prefix(width)
        }
    }

    /// The content of a zlib stream of stored blocks.
    private static func inflated(_ stream: [UInt8]) throws -> [UInt8] {
        try check(stream[0] & 15 == 8 && (Int(stream[0]) << 8 | Int(stream[1])) % 31 == 0)
        var (rest, data, isLast) = (stream.dropFirst(2), [UInt8](), false)
        while !isLast {
            let head = Array(rest.prefix(5))
            isLast = head[0] == 1
            let length = Int(head[1]) | Int(head[2]) << 8
            try check(length ^ 0xFFFF == Int(head[3]) | Int(head[4]) << 8)
            data += rest.dropFirst(5).prefix(length)
            rest = rest.dropFirst(5 + length)
        }
        try check(try number(&rest) == Adler32(data).value)
        try check(rest.isEmpty)
        return data
    }

    private static func number(_ bytes: inout ArraySlice<UInt8>) throws -> UInt32 {
        try check(bytes.count >= 4)
        defer { bytes = bytes.dropFirst(4) }
        return bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
}

private func check(_ condition: Bool) throws {
    if !condition { throw PNGReader.Malformed() }
}
