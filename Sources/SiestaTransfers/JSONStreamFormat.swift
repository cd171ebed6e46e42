import SiestaCore

/// The form of a response that contains several JSON values.
public enum JSONStreamFormat: Sendable, Hashable {
    /// The `Content-Type` of the response decides: ``textSequence`` for `application/json-seq` and for types that end
    /// with `+json-seq`, ``newlineDelimited`` for all other types.
    case automatic
    /// One JSON value in each line, such as `application/x-ndjson` and `application/jsonl`. Lines end with LF or CRLF;
    /// the last line may have no line end. Empty lines and a byte order mark are ignored.
    case newlineDelimited
    /// A JSON text sequence (RFC 7464): a record separator (U+001E) before each value, and LF after it.
    ///
    /// If no white space follows a number, `true`, `false` or `null`, the value may be truncated, and is invalid
    /// (§2.4).
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
