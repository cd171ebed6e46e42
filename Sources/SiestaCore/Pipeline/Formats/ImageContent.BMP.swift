#if !canImport(UIKit) && !canImport(AppKit)
/// The structure of Windows bitmaps: a file header, an information header of one of several sizes, then the pixels.
enum BMPStructure {
    /// Returns the size; nil if the file is shorter than it declares, or has no pixels after its headers.
    static func size(_ reader: ByteReader) -> PixelSize? {
        var reader = reader
        guard reader.expect(Array("BM".utf8)) != nil, let fileSize = reader.littleEndian(4), fileSize <= reader.count,
            reader.skip(4) != nil, let pixels = reader.littleEndian(4), let header = reader.littleEndian(4),
            pixels >= 14 + header, pixels < max(fileSize, 1)
        else { return nil }
        if header == 12 { return coreSize(&reader) }
        guard header >= 40, let width = reader.littleEndian(4), let height = reader.littleEndian(4) else { return nil }
        return (signed(width), abs(signed(height)))  // A negative height means that the first row is the top row.
    }

    private static func coreSize(_ reader: inout ByteReader) -> PixelSize? {
        guard let width = reader.littleEndian(2), let height = reader.littleEndian(2) else { return nil }
        return (width, height)
    }

    private static func signed(_ value: Int) -> Int {
        Int(Int32(truncatingIfNeeded: value))
    }
}
#endif
