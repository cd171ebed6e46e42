package import Foundation

/// The facts about the response to a load that are needed to find out whether its content is new.
struct ContentComparison {
    /// The size of the body, in bytes.
    var byteCount = 0
    /// The fingerprint of the body; nil if bodies are not compared.
    var fingerprint: BodyFingerprint?
    /// If the content is not new, the ``Resource/State/contentRevision`` of the data with the same content. Nil if the
    /// content is new.
    var unchangedRevision: UInt32?
    /// The configuration whose pipeline has processed the response.
    weak var configuration: AnyObject?
    /// The resource with whose data the response was compared.
    weak var resource: AnyObject?
}

/// A number that stands for the bytes of a body and its content type.
///
/// The fingerprint is a keyed hash of 64 bits (SipHash) and the length. The key is random and differs in each process.
/// Therefore nobody can choose two bodies with the same fingerprint, and two different bodies of one resource have the
/// same fingerprint with a probability of 1 in 10¹⁹.
package struct BodyFingerprint: Equatable, Sendable {
    private let hash: Int
    private let count: Int

    /// Computes the fingerprint, in time proportional to the length of the body.
    package init(_ body: Data, contentType: String?) {
        var hasher = Hasher()
        hasher.combine(contentType)
        body.withUnsafeBytes { hasher.combine(bytes: $0) }
        (hash, count) = (hasher.finalize(), body.count)
    }
}
