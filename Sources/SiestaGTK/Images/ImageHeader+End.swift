#if GTK
extension ImageHeader {
    /// True if the file has its end, as far as the loader does not check it.
    ///
    /// The loaders of PNG and JPEG files accept a file that ends too early, and leave pixels as they are in fresh memory.
    func isComplete(_ bytes: ImageBytes) -> Bool {
        switch format {
        case .png: Self.isCompletePNG(bytes)
        case .jpeg: Self.isCompleteJPEG(bytes)
        case .gif: Self.firstFrame(inGIF: bytes) != nil
        case .webp: true
        }
    }

    /// PNG, section 5.6: each chunk has a length, a type, data and a checksum; IEND is the last one.
    private static func isCompletePNG(_ bytes: ImageBytes) -> Bool {
        var position = 8
        while let length = bytes.number(at: position, bytes: 4, bigEndian: true) {
            if bytes.contains("IEND", at: position + 4) { return true }
            position += 12 + length
        }
        return false
    }

    /// PNG, section 5.4: the ranges of a file without its ancillary chunks, except for the transparency.
    ///
    /// libpng inflates up to 1000 texts to 8 MB each, and keeps them, so that a small file would fill gigabytes. GTK uses
    /// neither texts nor profiles.
    static func imageParts(ofPNG bytes: ImageBytes) -> [Range<Int>] {
        var (parts, start, position): ([Range<Int>], Int, Int) = ([], 0, 8)
        while let length = bytes.number(at: position, bytes: 4, bigEndian: true),
            let letter = bytes.byte(at: position + 4), !bytes.contains("IEND", at: position + 4)
        {
            let end = min(position + 12 + length, bytes.count)
            // The first letter of an ancillary chunk is small.
            if letter & 0x20 != 0, !bytes.contains("tRNS", at: position + 4) {
                if start < position { parts.append(start..<position) }
                start = end
            }
            position = end
        }
        return start < bytes.count ? parts + [start..<bytes.count] : parts
    }
}
#endif
