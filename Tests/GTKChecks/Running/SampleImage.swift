#if GTK
import CGTK
import Foundation

/// Files of images that the checks make.
enum SampleImage {
    /// A GIF file of 2 by 2 pixels, and the position at which its first frame ends.
    static func animation(frames: Int) -> (file: Data, firstFrameEnd: Int) {
        let head = Data("GIF89a".utf8) + [2, 0, 2, 0, 0x80, 0, 0, 255, 0, 0, 0, 0, 255]
        let control: [UInt8] = [0x21, 0xF9, 4, 4, 5, 0, 0, 0]
        // The codes: clear, four times the first colour, end. They have 3 bits, then 4.
        let frame = control + [0x2C, 0, 0, 0, 0, 2, 0, 2, 0, 0, 2, 3, 0x04, 0x00, 0x05, 0]
        var file = head
        for _ in 0..<frames { file += frame }
        return (file + [0x3B], head.count + frame.count)
    }

    /// The begin of a progressive JPEG file of 8 by 8 pixels, and a scan of it. The data of the scan is empty.
    static func jpegScans() -> (start: Data, scan: Data) {
        let frame: [UInt8] = [0xFF, 0xC2, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0]
        return (Data([0xFF, 0xD8] + frame), Data([0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 0, 0]))
    }

    /// A file in one colour, with a lighter lower half.
    static func png(width: Int, height: Int, color: (UInt8, UInt8, UInt8)) throws -> Data {
        guard let pixbuf = gdk_pixbuf_new(GDK_COLORSPACE_RGB, 0, 8, gint(width), gint(height)),
            let pixels = gdk_pixbuf_get_pixels(pixbuf)
        else { throw Failure(description: "No memory for an image") }
        defer { g_object_unref(UnsafeMutableRawPointer(pixbuf)) }
        let rowLength = Int(gdk_pixbuf_get_rowstride(pixbuf))
        for row in 0..<height {
            for column in 0..<width {
                let place = pixels + row * rowLength + column * 3
                let light: UInt8 = row < height / 2 ? 0 : 64
                (place[0], place[1], place[2]) = (color.0 | light, color.1 | light, color.2 | light)
            }
        }
        var (buffer, length) = (UnsafeMutablePointer<gchar>?.none, gsize(0))
        let isSaved = gdk_pixbuf_save_to_bufferv(pixbuf, &buffer, &length, "png", nil, nil, nil)
        guard isSaved != 0, let buffer else { throw Failure(description: "GdkPixbuf wrote no PNG file") }
        defer { g_free(buffer) }
        return Data(bytes: buffer, count: Int(length))
    }
}
#endif
