#if GTK
extension ImageHeader {
    /// True if the file has its end, as far as the loader does not check it.
    ///
    /// The loaders of PNG and JPEG files accept a file that ends too early, and leave pixels as they are in fresh memory.
    func isComplete(_ bytes: ImageBytes) -> Bool {
        switch format {
        case .png: Self.isCompletePNG(bytes)
        case .jpeg: Self.isCompleteJPEG(bytes)
        case .gif: Self.endOfFirstFrame(inGIF: bytes) != nil
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
}
#endif
