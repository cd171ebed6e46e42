extension HARRecorder {
    /// The form in which bodies are recorded.
    public enum Bodies: Sendable, Equatable {
        /// Bodies are in the recording, up to `limit` bytes each. If a body is larger, the recording contains its first
        /// `limit` bytes and its size. A replay cannot answer with such a body, unless it is an event stream.
        case inline(limit: Int)

        /// The recording contains only the sizes and the SHA-256 digests of bodies, after redaction. The digest of JSON
        /// is that of its compact text with sorted members, and the digest of a multipart body is that with the boundary
        /// `boundary`, so that equal contents have equal digests. Bodies of more than 16 MB have no digest. A replay can
        /// compare the bodies of requests, but cannot answer with the bodies of responses.
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
