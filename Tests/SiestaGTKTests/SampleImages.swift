#if GTK
import CGTK
import Foundation

/// Image files that the tests make.
enum SampleImages {
    struct NotEncoded: Error {}

    /// A file with a red left half and a blue right half, written by GdkPixbuf.
    static func file(_ format: String, width: Int, height: Int) throws -> Data {
        guard let pixbuf = gdk_pixbuf_new(GDK_COLORSPACE_RGB, 0, 8, gint(width), gint(height)) else {
            throw NotEncoded()
        }
        defer { g_object_unref(UnsafeMutableRawPointer(pixbuf)) }
        let (rowLength, pixels) = (Int(gdk_pixbuf_get_rowstride(pixbuf)), gdk_pixbuf_get_pixels(pixbuf))
        let line = (0..<width).flatMap { column in column < width / 2 ? [255, 0, 0] : [0, 0, 255] as [guchar] }
        for row in 0..<height { pixels?.advanced(by: row * rowLength).update(from: line, count: line.count) }
        var (buffer, length) = (UnsafeMutablePointer<gchar>?.none, gsize(0))
        guard gdk_pixbuf_save_to_bufferv(pixbuf, &buffer, &length, format, nil, nil, nil) != 0, let buffer else {
            throw NotEncoded()
        }
        defer { g_free(buffer) }
        return Data(bytes: buffer, count: Int(length))
    }

    /// A JPEG file with the orientation in an Exif segment behind the marker SOI.
    static func jpeg(width: Int, height: Int, orientation: UInt8, bigEndian: Bool) throws -> Data {
        let tiff: [UInt8] =
            bigEndian
            ? [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
            : [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0]
        let segment: [UInt8] = Array("Exif\0\0".utf8) + tiff
        let length = UInt16(segment.count + 2)
        var file = try file("jpeg", width: width, height: height)
        file.insert(contentsOf: [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + segment, at: 2)
        return file
    }

    /// The start of a PNG file that states any size.
    static func pngHeader(width: UInt32, height: UInt32) -> Data {
        var header = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]) + Data("IHDR".utf8)
        for number in [width, height] { withUnsafeBytes(of: number.bigEndian) { header.append(contentsOf: $0) } }
        header += [8, 2, 0, 0, 0]
        let crc = header[12...].reduce(UInt32.max) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        withUnsafeBytes(of: (~crc).bigEndian) { header.append(contentsOf: $0) }
        return header
    }

    /// The four bytes of a pixel of a texture, in the order blue, green, red, alpha.
    static func pixel(_ texture: OpaquePointer, x: Int, y: Int) -> [UInt8] {
        let (width, height) = (Int(gdk_texture_get_width(texture)), Int(gdk_texture_get_height(texture)))
        var pixels = [UInt8](repeating: 0, count: width * height * 4)
        gdk_texture_download(texture, &pixels, gsize(width * 4))
        return Array(pixels[(y * width + x) * 4..<(y * width + x) * 4 + 4])
    }
}
#endif
