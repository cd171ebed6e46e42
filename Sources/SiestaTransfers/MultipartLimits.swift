/// The limits for a multipart response. A response that exceeds a limit is an error.
struct MultipartLimits: Sendable {
    /// The maximum size of the headers of one part, in bytes. The default is 16 KB.
    var maximumHeaderSize = 16 << 10

    /// The maximum size of the content of one part, in bytes. The default is 16 MB. The same limit applies to the text
    /// before the first part.
    var maximumPartSize = 16 << 20

    /// The maximum number of parts. The default is 10 000.
    var maximumPartCount = 10_000
}
