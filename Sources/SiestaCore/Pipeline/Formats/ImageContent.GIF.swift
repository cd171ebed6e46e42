#if !canImport(UIKit) && !canImport(AppKit)
/// The structure of GIF (87a and 89a): a screen descriptor, then blocks up to the trailer.
enum GIFStructure {
    /// Returns the size of the screen; nil if the blocks do not lead to the trailer, or no block is an image.
    static func size(_ reader: ByteReader) -> PixelSize? {
        var reader = reader
        guard let signature = reader.take(6), ["GIF87a", "GIF89a"].contains(where: signature.elementsEqual),
            let width = reader.littleEndian(2), let height = reader.littleEndian(2), let flags = reader.byte(),
            reader.skip(2 + colorTableSize(flags)) != nil
        else { return nil }
        var hasImage = false
        while let block = reader.byte() {
            switch block {
            case 0x3B: return hasImage ? (width, height) : nil
            case 0x21:
                guard reader.skip(1) != nil, skipSubBlocks(&reader) != nil else { return nil }
            case 0x2C:
                guard skipImage(&reader) != nil else { return nil }
                hasImage = true
            default: return nil
            }
        }
        return nil
    }

    private static func colorTableSize(_ flags: Int) -> Int {
        flags & 0x80 == 0 ? 0 : 3 << ((flags & 7) + 1)
    }

    private static func skipImage(_ reader: inout ByteReader) -> Void? {
        guard reader.skip(8) != nil, let flags = reader.byte(), reader.skip(colorTableSize(flags) + 1) != nil else {
            return nil
        }
        return skipSubBlocks(&reader)
    }

    private static func skipSubBlocks(_ reader: inout ByteReader) -> Void? {
        while let length = reader.byte() {
            if length == 0 { return () }
            guard reader.skip(length) != nil else { return nil }
        }
        return nil
    }
}

extension Sequence<UInt8> {
    fileprivate func elementsEqual(_ text: String) -> Bool { elementsEqual(text.utf8) }
}
#endif
