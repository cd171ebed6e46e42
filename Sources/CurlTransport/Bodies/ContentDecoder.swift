#if os(Linux)
import CCurl
import Foundation

/// Undoes the coding of one body, a slice at a time, so that no call takes long and no result is large.
///
/// For one thread at a time. A gzip body may have several members (RFC 1952, section 2.2), and a deflate body may lack
/// the zlib header that it should have, as some servers' do.
final class ContentDecoder {
    private let coding: ContentCoding
    private var inflater: OpaquePointer?
    private var input = Data()
    /// Bytes of `input` that are decoded.
    private var offset = 0
    private var step = Step.beginning

    private enum Step {
        /// Before the first byte of the body.
        case beginning
        case inside
        /// After a complete stream. Another may follow in gzip.
        case between
    }

    init(_ coding: ContentCoding) {
        self.coding = coding
    }

    deinit {
        ccurl_inflater_free(inflater)
    }

    /// Throws if the input is not a whole body; no bytes at all are one.
    func finish() throws(TransportError) {
        guard step != .inside, offset == input.count else {
            throw TransportError(.undecodable, "The encoded body ends too early")
        }
    }

    /// Adds encoded bytes.
    func append(_ data: Data) {
        input = offset == input.count ? data : input[(input.startIndex + offset)...] + data
        offset = 0
    }

    /// The next decoded bytes, 256 KB at the most; nil if that needs more input.
    func slice() throws(TransportError) -> Data? {
        var slice = Data(count: min(Self.sliceSize, max(4096, (input.count - offset) * 8)))
        let count: Int
        do {
            count = try slice.withUnsafeMutableBytes { try decode(into: $0) }
        } catch {
            throw error as? TransportError ?? TransportError(.undecodable, "\(error)")
        }
        return count == 0 ? nil : slice.prefix(count)
    }

    /// Decodes into a buffer, and returns the count of bytes; 0 if that needs more input.
    ///
    /// Throws an error of kind ``TransportError/Kind/undecodable`` if the input is damaged.
    func decode(into buffer: UnsafeMutableRawBufferPointer) throws(TransportError) -> Int {
        var produced = 0
        while produced < buffer.count, try prepare() {
            var (taken, room) = (input.count - offset, buffer.count - produced)
            let status = input.withUnsafeBytes { bytes in
                ccurl_inflate(
                    inflater, bytes.baseAddress.map { $0 + offset }, &taken, buffer.baseAddress.map { $0 + produced },
                    &room)
            }
            offset += taken
            produced += room
            switch status {
            case CCURL_INFLATE_END: step = .between
            case CCURL_INFLATE_MORE where taken + room > 0: break
            case CCURL_INFLATE_MORE: return produced
            default: throw TransportError(.undecodable, "The body is not encoded as its Content-Encoding says")
            }
        }
        return produced
    }

    private static let sliceSize = 256 << 10

    /// Makes the inflater ready. False if that, or the inflater, needs more input.
    private func prepare() throws(TransportError) -> Bool {
        switch step {
        case .inside:
            return true  // which may have output left without input
        case .between:
            guard offset < input.count else { return false }
            guard coding == .gzip else { throw TransportError(.undecodable, "The body goes on after its encoded data") }
            ccurl_inflater_restart(inflater)
        case .beginning:
            guard let bits = windowBits else { return false }
            inflater = ccurl_inflater_make(bits)
            guard inflater != nil else {
                throw TransportError(.undecodable, "The body cannot be decoded: zlib is missing, or memory")
            }
        }
        step = .inside
        return true
    }

    /// The format, in the terms of zlib; nil if more input is needed to tell.
    private var windowBits: Int32? {
        guard !input.isEmpty else { return nil }
        guard coding == .deflate else { return 31 }
        guard input.count >= 2 else { return nil }
        let header = UInt16(input[input.startIndex]) << 8 | UInt16(input[input.startIndex + 1])
        let isZlib = header >> 8 & 0x0F == 8 && header % 31 == 0  // RFC 1950, section 2.2
        return isZlib ? 15 : -15
    }
}
#endif
