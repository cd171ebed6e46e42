@_exported public import AppleFoundation

/// Stands for the image type of iOS, tvOS, watchOS and visionOS. The SDK declares it as `Sendable`.
open class UIImage: NSObject, @unchecked Sendable {
    public init?(data: Data) { nil }
}
