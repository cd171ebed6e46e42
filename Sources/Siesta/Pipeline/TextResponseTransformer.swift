import Foundation

/// Decodes text into a `String`, by the character set that `Content-Type` names, ISO-8859-1 without one.
///
/// An unknown character set is the error ``RequestError/Cause/InvalidTextEncoding``, illegal bytes are
/// ``RequestError/Cause/UndecodableText``. The entity of an error is decoded too, unless told otherwise.
public func TextResponseTransformer(_ transformErrors: Bool = true) -> any ResponseTransformer {
    ResponseContentTransformer(transformErrors: transformErrors, processor: TextDecoding.decode)
}

enum TextDecoding {
    /// The transformer that services have: it leaves alone what another one has parsed already, such as `text/json`.
    static var standardTransformer: any ResponseTransformer {
        ResponseContentTransformer(onInputTypeMismatch: .skip, transformErrors: true, processor: decode)
    }

    @Sendable fileprivate static func decode(_ entity: Entity<Data>) throws -> String? {
        let message = UserMessages.current.cannotParseText
        guard let charset = entity.charset.map(Charset.init(ianaName:)) ?? .isoLatin1 else {
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
