#if GTK
/// The reason why `TextureDecoder` cannot decode an image.
package enum ImageDecodingError: Error, Equatable, Sendable {
    /// The bytes are not a PNG, JPEG, GIF or WebP file, or the file states an image without pixels.
    case unknownFormat
    /// The file states an image with more pixels than `TextureDecoder.maximumPixels`.
    case tooLarge
    /// The file is damaged or incomplete, GdkPixbuf has no loader for its format, or there is not enough memory. The
    /// text is GdkPixbuf's own, for logs.
    case damaged(String)
}
#endif
