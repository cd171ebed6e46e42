#if !canImport(UIKit) && !canImport(AppKit)
/// The structure of WebP (RFC 9649 §2): a RIFF file whose first chunk determines the variant.
enum WebPStructure {
    /// Returns the size of the canvas; nil if the file is shorter than it declares, or its first chunk is incomplete.
    static func size(_ reader: ByteReader) -> PixelSize? {
        var reader = reader
        guard reader.expect(Array("RIFF".utf8)) != nil, let fileSize = reader.littleEndian(4),
            fileSize <= reader.remaining, reader.expect(Array("WEBP".utf8)) != nil, let kind = reader.take(4),
            let length = reader.littleEndian(4), let content = reader.take(length)
        else { return nil }
        switch String(decoding: kind, as: UTF8.self) {
        case "VP8 ": return lossy(ByteReader(content))
        case "VP8L": return lossless(ByteReader(content))
        case "VP8X": return extended(ByteReader(content))
        default: return nil
        }
    }

    /// Reads the lossy variant (RFC 6386 §9.1): a frame tag of three bytes, a start code, two sizes of 14 bits.
    private static func lossy(_ reader: ByteReader) -> PixelSize? {
        var reader = reader
        guard reader.skip(3) != nil, reader.expect([0x9D, 0x01, 0x2A]) != nil, let width = reader.littleEndian(2),
            let height = reader.littleEndian(2)
        else { return nil }
        return (width & 0x3FFF, height & 0x3FFF)
    }

    /// Reads the lossless variant (RFC 9649 §3.4): a signature, then two sizes of 14 bits, each reduced by one.
    private static func lossless(_ reader: ByteReader) -> PixelSize? {
        var reader = reader
        guard reader.expect([0x2F]) != nil, let bits = reader.littleEndian(4) else { return nil }
        return (bits & 0x3FFF + 1, (bits >> 14) & 0x3FFF + 1)
    }

    /// Reads the extended variant (RFC 9649 §2.7): four bytes of flags, then two sizes of 24 bits, each reduced by one.
    private static func extended(_ reader: ByteReader) -> PixelSize? {
        var reader = reader
        guard reader.skip(4) != nil, let width = reader.littleEndian(3), let height = reader.littleEndian(3) else {
            return nil
        }
        return (width + 1, height + 1)
    }
}
#endif
