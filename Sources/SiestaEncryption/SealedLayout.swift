#if Encryption
/// The layout of a sealed record: key identifier, nonce, content, and tag.
struct SealedLayout {
    private static let overhead = 36

    let length: Int

    init(contentLength: Int) {
        length = contentLength + Self.overhead
    }

    /// Creates the layout of a record of this length; nil if the record is too short.
    init?(length: Int) {
        guard length >= Self.overhead else { return nil }
        self.length = length
    }

    var keyIdentifier: Range<Int> { 0..<8 }
    var nonce: Range<Int> { 8..<20 }
    var content: Range<Int> { 20..<length - 16 }
    var tag: Range<Int> { length - 16..<length }
}
#endif
