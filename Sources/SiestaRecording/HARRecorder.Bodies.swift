extension HARRecorder {
    /// The form in which bodies are recorded.
    public enum Bodies: Sendable, Equatable {
        /// The recording contains up to `limit` bytes of each body. If a body is larger, the recording contains the
        /// first `limit` bytes and the size of the body. A replay can respond with such a body only if the body is an
        /// event stream.
        case inline(limit: Int)

        /// The recording contains only the size of each body, and the SHA-256 digest of the redacted body. Before a
        /// digest is computed, JSON is converted to a compact text with sorted members, and the boundary of a multipart
        /// body is replaced with the word `boundary`. Equal contents therefore have equal digests. Bodies of more than
        /// 16 MB have no digest. A replay can compare the bodies of requests, but cannot answer with the bodies of
        /// responses.
        case digest

        /// The number of bytes of each body that the recorder keeps.
        var limit: Int {
            switch self {
            case .inline(let limit): max(limit, 0)
            case .digest: 16 << 20
            }
        }
    }
}
