public import SiestaCore
import Foundation

/// Returns a transformer that parses XML into an ``XMLTree``.
///
/// If a document cannot be parsed, the request fails with the cause `RequestError.Cause.InvalidXML`.
///
/// - Parameters:
///   - transformErrors: True to also parse the bodies of error responses. The default is true.
///   - limits: The limits for the size and the structure of a document.
public func XMLResponseTransformer(
    _ transformErrors: Bool = true, limits: XMLLimits = XMLLimits()
) -> any ResponseTransformer {
    ResponseContentTransformer(transformErrors: transformErrors) { (entity: Entity<Data>) -> XMLTree? in
        try XMLTree(entity.content, charset: entity.charset, limits: limits)
    }
}
