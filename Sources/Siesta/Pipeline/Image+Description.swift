extension Image: CustomStringConvertible, CustomReflectable {
    /// The format and the size; not the bytes.
    public var description: String { "Image(\(format), \(pixelWidth) x \(pixelHeight), \(data.count) bytes)" }

    /// No children: `dump` shows the ``description`` alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
