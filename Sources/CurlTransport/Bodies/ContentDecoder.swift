#if os(Linux) || os(Android)
import CCurl
import Foundation

/// Decodes one body in slices, so that no call takes long and no result is large.
///
/// Only one thread at a time may use it. A gzip body may have several members (RFC 1952, section 2.2). A deflate body
/// may lack the zlib header, because some servers omit it.
final class ContentDecoder {
    private let coding: ContentCoding
    private var inflater: OpaquePointer?
    private var input = Data()
    /// The number of decoded bytes of `input`.
    private var offset = 0
    private var step = Step.beginning

    private enum Step {
        /// Before the first byte of the body.
        case beginning
        case inside
        /// After a complete stream. In gzip, another stream may follow.
        case between
    }

    init(_ coding: ContentCoding) {
        self.coding = coding
    }

    deinit {
        ccurl_inflater_free(inflater)
    }

    /// Throws if the input is not a complete body. An empty input counts as complete.
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

    /// Returns the next decoded bytes, at most 256 KB; nil if the decoder needs more input.
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

    /// Decodes into a buffer, and returns the number of bytes; 0 if the decoder needs more input.
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

    /// Prepares the inflater. Returns false if more input is needed.
    private func prepare() throws(TransportError) -> Bool {
        switch step {
        case .inside:
            return true  // the inflater may have more output without input
        case .between:
            guard offset < input.count else { return false }
            guard coding == .gzip else {
                throw TransportError(.undecodable, "The body has bytes after its encoded data")
            }
            ccurl_inflater_restart(inflater)
        case .beginning:
            guard let bits = windowBits else { return false }
            inflater = ccurl_inflater_make(bits)
            guard inflater != nil else {
                throw TransportError(.undecodable, "The body cannot be decoded, because zlib or memory is missing")
            }
        }
        step = .inside
        return true
    }

    /// The format as zlib's number of window bits; nil if more input is needed to detect the format.
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
