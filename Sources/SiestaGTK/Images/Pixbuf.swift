#if GTK
import CGTK
import SiestaUI

/// An image in GdkPixbuf's memory, on the way from a file to a texture. Used by one thread.
struct Pixbuf: ~Copyable {
    private let pointer: OpaquePointer

    /// Decodes the parts of a file that make its image to a size, and applies its orientation. Those of a GIF file end with
    /// the first frame.
    init(_ parts: [UnsafeRawBufferPointer], _ header: ImageHeader, _ size: PixelSize) throws(ImageDecodingError) {
        var error: UnsafeMutablePointer<GError>?
        guard let loader = gdk_pixbuf_loader_new_with_type(header.format.rawValue, &error) else {
            throw .damaged(Self.text(&error))
        }
        defer { g_object_unref(UnsafeMutableRawPointer(loader)) }
        var sizes = (header: header.size, result: size)
        let isComplete = withUnsafeMutablePointer(to: &sizes) { sizes in
            Self.connect(loader, sizes)
            let isWritten =
                parts.allSatisfy { Self.write($0, to: loader, &error) }
                && (header.format != .gif || Self.writeTrailer(to: loader, &error))
            // Closing a loader is required in any case. After a failure, its own error says no more than the first.
            guard isWritten else {
                gdk_pixbuf_loader_close(loader, nil)
                return false
            }
            return gdk_pixbuf_loader_close(loader, &error) != 0
        }
        guard isComplete, let decoded = gdk_pixbuf_loader_get_pixbuf(loader),
            let turned = gdk_pixbuf_apply_embedded_orientation(decoded)
        else { throw .damaged(Self.text(&error)) }
        pointer = turned
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(pointer)) }

    /// Returns the image as a texture in the format that GTK draws without a conversion.
    consuming func image() throws(ImageDecodingError) -> DecodedImage<TextureImage> {
        let (width, height) = (Int(gdk_pixbuf_get_width(pointer)), Int(gdk_pixbuf_get_height(pointer)))
        let (rowLength, length) = (width * 4, width * height * 4)
        guard let pixels = g_try_malloc(gsize(length)), let original = gdk_texture_new_for_pixbuf(pointer) else {
            throw .damaged("Not enough memory for \(length) bytes")
        }
        gdk_texture_download(original, pixels.assumingMemoryBound(to: guchar.self), gsize(rowLength))
        g_object_unref(UnsafeMutableRawPointer(original))
        let bytes = g_bytes_new_take(pixels, gsize(length))
        defer { g_bytes_unref(bytes) }
        let texture = gdk_memory_texture_new(
            gint(width), gint(height), cgtk_memory_default, bytes, gsize(rowLength))
        guard let texture else { throw .damaged("GDK created no texture") }
        return DecodedImage(
            TextureImage(owned: texture), pixelSize: PixelSize(width: width, height: height), cost: length)
    }

    private static func write(
        _ bytes: UnsafeRawBufferPointer, to loader: UnsafeMutablePointer<GdkPixbufLoader>,
        _ error: inout UnsafeMutablePointer<GError>?
    ) -> Bool {
        gdk_pixbuf_loader_write(
            loader, bytes.assumingMemoryBound(to: guchar.self).baseAddress, gsize(bytes.count), &error) != 0
    }

    /// Writes the byte that ends a GIF file.
    private static func writeTrailer(
        to loader: UnsafeMutablePointer<GdkPixbufLoader>, _ error: inout UnsafeMutablePointer<GError>?
    ) -> Bool {
        withUnsafeBytes(of: UInt8(0x3B)) { write($0, to: loader, &error) }
    }

    /// Sets the size of the result when the loader has read the size of the file.
    ///
    /// If the loader reads another size than `ImageHeader` did, the file is made to deceive one of them. A size of 0 then
    /// makes the loader fail before it allocates pixels.
    private static func connect(
        _ loader: UnsafeMutablePointer<GdkPixbufLoader>,
        _ sizes: UnsafeMutablePointer<(header: PixelSize, result: PixelSize)>
    ) {
        let prepare:
            @convention(c) (UnsafeMutablePointer<GdkPixbufLoader>, gint, gint, UnsafeMutableRawPointer) -> Void = {
                let sizes = $3.assumingMemoryBound(to: (header: PixelSize, result: PixelSize).self).pointee
                let isExpected = Int($1) == sizes.header.width && Int($2) == sizes.header.height
                gdk_pixbuf_loader_set_size(
                    $0, isExpected ? gint(sizes.result.width) : 0, isExpected ? gint(sizes.result.height) : 0)
            }
        g_signal_connect_data(
            loader, "size-prepared", unsafeBitCast(prepare, to: GCallback.self), sizes, nil, GConnectFlags(0))
    }

    private static func text(_ error: inout UnsafeMutablePointer<GError>?) -> String {
        guard let found = error else { return "The image is incomplete" }
        defer { g_clear_error(&error) }
        return found.pointee.message.map { String(cString: $0) } ?? ""
    }
}
#endif
