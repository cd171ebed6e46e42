#if !canImport(UIKit) && !canImport(AppKit)
/// The structure of JPEG (ITU-T T.81 annex B): segments that begin with markers, and coded data between the segments.
enum JPEGStructure {
    /// Returns the size in the frame header; nil if the segments do not lead from the start to the end of the image.
    static func size(_ reader: ByteReader) -> PixelSize? {
        var reader = reader
        guard reader.expect([0xFF, 0xD8]) != nil else { return nil }
        var size: PixelSize?
        while let marker = nextMarker(&reader) {
            switch marker {
            case 0xD9: return size
            case 0x01, 0xD0...0xD7: continue  // These markers have no segment.
            case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(marker):
                guard let frame = frameHeader(&reader) else { return nil }
                size = size ?? frame
            default:
                guard skipSegment(&reader) != nil else { return nil }
            }
        }
        return nil
    }

    /// Reads the next marker; nil at the end. Skips fill bytes and coded data, in which 0 follows each 0xFF.
    private static func nextMarker(_ reader: inout ByteReader) -> Int? {
        while let byte = reader.byte() {
            guard byte == 0xFF else { continue }
            while reader.next == 0xFF { _ = reader.byte() }
            if let marker = reader.byte(), marker != 0 { return marker }
        }
        return nil
    }

    private static func skipSegment(_ reader: inout ByteReader) -> Void? {
        guard let length = reader.bigEndian(2), length >= 2 else { return nil }
        return reader.skip(length - 2)
    }

    private static func frameHeader(_ reader: inout ByteReader) -> PixelSize? {
        guard let length = reader.bigEndian(2), length >= 8, reader.skip(1) != nil, let height = reader.bigEndian(2),
            let width = reader.bigEndian(2), reader.skip(length - 7) != nil
        else { return nil }
        return (width, height)
    }
}
#endif
