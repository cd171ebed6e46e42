@_exported public import AppleFoundation

/// Stands for the image type of macOS. The check does not rely on it being `Sendable`.
open class NSImage: NSObject {
    public init?(data: Data) { nil }
}
