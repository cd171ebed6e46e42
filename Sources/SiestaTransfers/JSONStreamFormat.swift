import SiestaCore

/// The format of a response that contains several JSON values.
public enum JSONStreamFormat: Sendable, Hashable {
    /// The `Content-Type` of the response decides: ``textSequence`` for `application/json-seq` and for types that end
    /// with `+json-seq`, and ``newlineDelimited`` for all other types.
    case automatic
    /// One JSON value in each line, as in `application/x-ndjson` and `application/jsonl`. Lines end with LF or CRLF.
    /// The line end of the last line may be missing. Empty lines and a byte order mark are ignored.
    case newlineDelimited
    /// A JSON text sequence (RFC 7464): a record separator (U+001E) before each value, and LF after it.
    ///
    /// A number, `true`, `false` or `null` must be followed by white space. Otherwise, it may be truncated, and is
    /// therefore invalid (§2.4).
    case textSequence
}

extension JSONStreamFormat {
    /// The format of a response with this content type.
    func resolved(_ contentType: String?) -> JSONStreamFormat {
        guard self == .automatic else { return self }
        return contentType.map(Self.sequenceTypes.matches) ?? false ? .textSequence : .newlineDelimited
    }

    private static let sequenceTypes = SequenceTypes()

    private struct SequenceTypes {
        private let patterns = ["application/json-seq", "*/*+json-seq"].map(ContentTypePattern.init)

        func matches(_ contentType: String) -> Bool { patterns.contains { $0.matches(contentType) } }
    }
}
