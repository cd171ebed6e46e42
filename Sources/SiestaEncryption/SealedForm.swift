#if Encryption
/// Where the parts of a sealed record are: a mark, which key it is, the nonce, the content, and the tag.
struct SealedForm {
    /// Tells a sealed record from one in the open. The last byte is the version of the form.
    static let mark: [UInt8] = [0x53, 0x69, 0x58, 1]
    private static let overhead = 40

    let length: Int

    init(contentLength: Int) {
        length = contentLength + Self.overhead
    }

    /// Nil if it is too short.
    init?(length: Int) {
        guard length >= Self.overhead else { return nil }
        self.length = length
    }

    var mark: Range<Int> { 0..<4 }
    var keyIdentifier: Range<Int> { 4..<12 }
    var nonce: Range<Int> { 12..<24 }
    var content: Range<Int> { 24..<length - 16 }
    var tag: Range<Int> { length - 16..<length }
}
#endif
