import SiestaCore

/// The limits for a multipart response. A response that exceeds a limit is an error.
public struct MultipartLimits: Sendable {
    /// The maximum size of the headers of one part, in bytes. The default is 16 KB.
    public var maximumHeaderSize = 16 << 10

    /// The maximum size of the content of one part, in bytes. The default is 16 MB. The same limit applies to the text
    /// before the first part.
    public var maximumPartSize = 16 << 20

    /// The maximum number of parts. The default is 10 000.
    public var maximumPartCount = 10_000

    /// Creates the default limits.
    public init() {}
}
