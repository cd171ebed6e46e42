public import SiestaCore
import Foundation

/// Parses XML into an ``XMLTree``.
///
/// If a document cannot be parsed, the cause of the error is `RequestError.Cause.InvalidXML`.
///
/// - Parameters:
///   - transformErrors: True to parse the entities of errors, too. The default is true.
///   - limits: The limits for the size and the structure of a document.
public func XMLResponseTransformer(
    _ transformErrors: Bool = true, limits: XMLLimits = XMLLimits()
) -> any ResponseTransformer {
    ResponseContentTransformer(transformErrors: transformErrors) { (entity: Entity<Data>) -> XMLTree? in
        try XMLTree(entity.content, charset: entity.charset, limits: limits)
    }
}
