#if !canImport(UIKit) && !canImport(AppKit)
extension Image: CustomStringConvertible, CustomReflectable {
    /// The format, the size in pixels and the number of bytes. Does not contain the bytes.
    public var description: String { "Image(\(format), \(pixelWidth) x \(pixelHeight), \(data.count) bytes)" }

    /// No children: `dump` shows only the ``description``.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
#endif
