#if Encryption
/// The layout of a sealed record: key identifier, nonce, content, and tag. All lengths are numbers of bytes.
struct SealedLayout {
    static let keyIdentifierLength = 8
    /// The length of a nonce for which the cipher needs no derivation (NIST SP 800-38D §8.2.1).
    private static let nonceLength = 12
    /// The maximum length of a tag (NIST SP 800-38D §5.2.1.2).
    private static let tagLength = 16
    private static let overhead = keyIdentifierLength + nonceLength + tagLength

    let contentLength: Int

    var length: Int { contentLength + Self.overhead }

    init(contentLength: Int) {
        self.contentLength = contentLength
    }

    /// Creates the layout of a record of this length; nil if the record is too short.
    init?(length: Int) {
        guard length >= Self.overhead else { return nil }
        contentLength = length - Self.overhead
    }

    var keyIdentifier: Range<Int> { 0..<Self.keyIdentifierLength }
    var nonce: Range<Int> { keyIdentifier.upperBound..<keyIdentifier.upperBound + Self.nonceLength }
    var content: Range<Int> { nonce.upperBound..<nonce.upperBound + contentLength }
    var tag: Range<Int> { content.upperBound..<length }
}
#endif
