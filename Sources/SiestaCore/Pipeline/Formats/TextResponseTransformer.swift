import Foundation

/// Returns a transformer that decodes text into a `String`.
///
/// The `Content-Type` header determines the character set. If the header names no character set, a byte order mark at
/// the start of the text selects UTF-8 or UTF-16. Without a byte order mark, the character set is ISO-8859-1.
///
/// The byte order mark is not part of the result.
///
/// If the character set is unknown, decoding fails with the cause ``RequestError/Cause/InvalidTextEncoding``. If the
/// text contains bytes that are invalid in its character set, the cause is ``RequestError/Cause/UndecodableText``.
///
/// - Parameter transformErrors: True to also decode the entities of errors. The default is true.
public func TextResponseTransformer(_ transformErrors: Bool = true) -> any ResponseTransformer {
    ResponseContentTransformer(transformErrors: transformErrors, processor: TextDecoding.decode)
}

enum TextDecoding {
    /// The text transformer that services have by default. It skips content that another transformer has already
    /// parsed, for example an object of type `text/json`. Content that is already a `String` was decoded twice, and fails,
    /// unless it is a JSON fragment.
    static var standardTransformer: any ResponseTransformer {
        ResponseContentTransformer(skippingParsedContentWithErrors: decode).withLibraryCodeOnly()
    }

    @Sendable fileprivate static func decode(_ entity: Entity<Data>) throws -> String? {
        let message = UserMessages.current.cannotParseText
        let unlabelled = Charset.marked(by: entity.content) ?? .isoLatin1
        guard let charset = entity.charset.map(Charset.init(ianaName:)) ?? unlabelled else {
            let cause = RequestError.Cause.InvalidTextEncoding(encodingName: entity.charset ?? "")
            throw RequestError(userMessage: message, cause: cause)
        }
        guard let text = charset.decode(entity.content) else {
            let cause = RequestError.Cause.UndecodableText(encoding: charset.stringEncoding)
            throw RequestError(userMessage: message, cause: cause)
        }
        return text
    }
}
