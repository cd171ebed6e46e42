#if GTK
extension ImageHeader {
    /// ITU T.81, annex B: segments up to the start of a frame, which has the size.
    ///
    /// A height of 0 means that a later segment has the height. GdkPixbuf does not read such files, and neither does this.
    static func jpeg(_ bytes: ImageBytes) -> Self? {
        guard bytes.contains([0xFF, 0xD8], at: 0) else { return nil }
        var (position, isTurned, hasExif) = (2, false, false)
        while let (marker, length) = segment(bytes, at: &position) {
            if isStartOfFrame(marker) {
                return Self(
                    .jpeg, bytes.number(at: position + 7, bytes: 2, bigEndian: true),
                    bytes.number(at: position + 5, bytes: 2, bigEndian: true), isTurned: isTurned)
            }
            // One directory counts: the server chooses how often a file refers to the same bytes.
            if marker == 0xE1, !hasExif, bytes.contains("Exif\0\0", at: position + 4) {
                hasExif = true
                isTurned = (5...8).contains(orientation(bytes, tiff: position + 10))
            }
            position += 2 + length
        }
        return nil
    }

    /// True if the marker EOI follows the first scan.
    ///
    /// Inside a scan, a byte 0xFF of the image is followed by 0, so the bytes 0xFF and 0xD9 are the marker. A preview image
    /// with a marker of its own is in a segment before the first scan.
    static func isCompleteJPEG(_ bytes: ImageBytes) -> Bool {
        var position = 2
        while let (marker, length) = segment(bytes, at: &position), marker != 0xDA { position += 2 + length }
        return bytes.position(of: (0xFF, 0xD9), from: position) != nil
    }

    /// True if the file has no more scans than any program writes. Each scan costs the loader time for all pixels, even
    /// if it has only a few bytes: a small file with thousands of scans would occupy a thread for minutes.
    static func hasFewScans(_ bytes: ImageBytes) -> Bool {
        var (position, count) = (2, 0)
        while let (marker, length) = segment(bytes, at: &position), marker != 0xDA { position += 2 + length }
        while let scan = bytes.position(of: (0xFF, 0xDA), from: position) {
            (position, count) = (scan + 2, count + 1)
            if count > 100 { return false }
        }
        return true
    }

    /// Returns the marker and the length of the segment at a position, which moves behind fill bytes.
    private static func segment(_ bytes: ImageBytes, at position: inout Int) -> (marker: UInt8, length: Int)? {
        guard bytes.byte(at: position) == 0xFF else { return nil }
        while bytes.byte(at: position + 1) == 0xFF { position += 1 }
        guard let marker = bytes.byte(at: position + 1),
            let length = bytes.number(at: position + 2, bytes: 2, bigEndian: true), length >= 2
        else { return nil }
        return (marker, length)
    }

    /// All markers of a start of frame, without the three others in their range: DHT, JPG and DAC.
    private static func isStartOfFrame(_ marker: UInt8) -> Bool {
        (0xC0...0xCF).contains(marker) && marker != 0xC4 && marker != 0xC8 && marker != 0xCC
    }

    /// Exif 2.32, section 4.6: the tag 0x0112 of the first directory. 1, the normal orientation, if there is no such tag.
    private static func orientation(_ bytes: ImageBytes, tiff start: Int) -> Int {
        let bigEndian = bytes.contains("MM", at: start)
        func number(_ position: Int, _ length: Int) -> Int? {
            bytes.number(at: position, bytes: length, bigEndian: bigEndian)
        }
        guard bigEndian || bytes.contains("II", at: start), let directory = number(start + 4, 4),
            let count = number(start + directory, 2)
        else { return 1 }
        let first = start + directory + 2
        for entry in 0..<count where number(first + entry * 12, 2) == 0x0112 {
            return number(first + entry * 12 + 8, 2) ?? 1
        }
        return 1
    }
}
#endif
