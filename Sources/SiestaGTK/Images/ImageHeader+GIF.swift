#if GTK
import SiestaUI

extension ImageHeader {
    /// GIF89a: returns the size of the first frame, and the number of bytes up to its end; nil if the file ends before.
    ///
    /// The loader reads all frames, in quadratic time: a small file with many frames would occupy a thread for minutes. It
    /// allocates a byte for each pixel of a frame, also for the pixels outside the logical screen.
    static func firstFrame(inGIF bytes: ImageBytes) -> (size: PixelSize, end: Int)? {
        guard let flags = bytes.byte(at: 10) else { return nil }
        var position = 13 + colorTableLength(flags)
        var size: PixelSize?
        while let kind = bytes.byte(at: position) {
            switch kind {
            case 0x21: position += 2  // An extension, with a label.
            case 0x2C:  // A frame: its place, flags, colours, and the size of a code.
                guard let flags = bytes.byte(at: position + 9),
                    let width = bytes.number(at: position + 5, bytes: 2, bigEndian: false),
                    let height = bytes.number(at: position + 7, bytes: 2, bigEndian: false)
                else { return nil }
                size = PixelSize(width: width, height: height)
                position += 11 + colorTableLength(flags)
            default: return nil
            }
            guard let end = endOfBlocks(bytes, at: position) else { return nil }
            if let size { return (size, end) }
            position = end
        }
        return nil
    }

    private static func colorTableLength(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }

    /// Returns the position after blocks with a length each, of which an empty one is the last.
    private static func endOfBlocks(_ bytes: ImageBytes, at start: Int) -> Int? {
        var position = start
        while let length = bytes.byte(at: position) {
            position += 1 + Int(length)
            if length == 0 { return position }
        }
        return nil
    }
}
#endif
