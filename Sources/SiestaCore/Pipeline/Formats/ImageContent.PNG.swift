#if !canImport(UIKit) && !canImport(AppKit)
import Foundation

/// The structure of PNG (ISO/IEC 15948 §5): a signature, then chunks, each with length, type, content and checksum.
enum PNGStructure {
    /// Returns the size; nil if the header's checksum is wrong, or the chunks do not lead to the end chunk.
    static func size(_ reader: ByteReader) -> PixelSize? {
        var reader = reader
        guard reader.expect([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) != nil,
            let header = chunk(&reader), header.type.elementsEqual("IHDR".utf8), header.content.count == 13,
            header.checksum == CRC32.checksum(of: header.type + header.content)
        else { return nil }
        while let next = chunk(&reader) {
            if next.type.elementsEqual("IEND".utf8) { return dimensions(header.content) }
        }
        return nil
    }

    private static func chunk(_ reader: inout ByteReader) -> (type: Data, content: Data, checksum: Int)? {
        guard let length = reader.bigEndian(4), let type = reader.take(4), let content = reader.take(length),
            let checksum = reader.bigEndian(4)
        else { return nil }
        return (type, content, checksum)
    }

    private static func dimensions(_ header: Data) -> PixelSize? {
        var reader = ByteReader(header)
        guard let width = reader.bigEndian(4), let height = reader.bigEndian(4) else { return nil }
        return (width, height)
    }
}

/// The checksum of PNG chunks (ISO 3309).
enum CRC32 {
    static func checksum(of bytes: Data) -> Int {
        let register = bytes.reduce(0xFFFF_FFFF as UInt32) { register, byte in
            (0..<8).reduce(register ^ UInt32(byte)) { value, _ in
                value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
            }
        }
        return Int(register ^ 0xFFFF_FFFF)
    }
}
#endif
