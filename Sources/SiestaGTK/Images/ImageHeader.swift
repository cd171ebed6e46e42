#if GTK
import SiestaUI

/// The format, the size and the orientation that the first bytes of an image file state.
///
/// The header is read before GdkPixbuf gets any byte of the file. Its size decides whether the image may be decoded, so a
/// small file that states a huge image costs no memory. Only the formats below are read: the other loaders of GdkPixbuf
/// (SVG, BMP, XPM and more) are not made for files from strangers.
struct ImageHeader: Equatable {
    /// The name of the format in GdkPixbuf.
    enum Format: String { case png, jpeg, gif, webp }

    var format: Format
    /// The size of the stored image, before the orientation is applied.
    var size: PixelSize
    /// True if the image is shown after a turn by 90 degrees, so that its width becomes its height.
    var isTurned = false

    /// Returns nil if the bytes do not start a file of a known format, or if the image has no pixels.
    init?(_ bytes: ImageBytes) {
        guard let header = Self.png(bytes) ?? .jpeg(bytes) ?? .gif(bytes) ?? .webp(bytes)
        else { return nil }
        self = header
    }

    init?(_ format: Format, _ width: Int?, _ height: Int?, isTurned: Bool = false) {
        guard let width, let height, width > 0, height > 0 else { return nil }
        (self.format, self.isTurned) = (format, isTurned)
        size = PixelSize(width: width, height: height)
    }

    /// PNG, section 11.2.1: the chunk IHDR is the first one.
    private static func png(_ bytes: ImageBytes) -> Self? {
        guard bytes.contains([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], at: 0), bytes.contains("IHDR", at: 12)
        else { return nil }
        return Self(
            .png, bytes.number(at: 16, bytes: 4, bigEndian: true), bytes.number(at: 20, bytes: 4, bigEndian: true))
    }

    /// GIF89a, section 18: the size of the logical screen. A frame may be larger; see `firstFrame(inGIF:)`.
    private static func gif(_ bytes: ImageBytes) -> Self? {
        guard bytes.contains("GIF87a", at: 0) || bytes.contains("GIF89a", at: 0) else { return nil }
        return Self(
            .gif, bytes.number(at: 6, bytes: 2, bigEndian: false), bytes.number(at: 8, bytes: 2, bigEndian: false))
    }

    /// RFC 9649, section 2.7: the kind of the first chunk decides where the size is.
    private static func webp(_ bytes: ImageBytes) -> Self? {
        guard bytes.contains("RIFF", at: 0), bytes.contains("WEBP", at: 8) else { return nil }
        func number(_ position: Int, _ length: Int) -> Int? {
            bytes.number(at: position, bytes: length, bigEndian: false)
        }
        if bytes.contains("VP8X", at: 12) {
            return Self(.webp, number(24, 3).map { $0 + 1 }, number(27, 3).map { $0 + 1 })
        }
        if bytes.contains("VP8L", at: 12), bytes.byte(at: 20) == 0x2F, let both = number(21, 4) {
            return Self(.webp, (both & 0x3FFF) + 1, (both >> 14 & 0x3FFF) + 1)
        }
        guard bytes.contains("VP8 ", at: 12), bytes.contains([0x9D, 0x01, 0x2A], at: 23) else { return nil }
        return Self(.webp, number(26, 2).map { $0 & 0x3FFF }, number(28, 2).map { $0 & 0x3FFF })
    }
}
#endif
