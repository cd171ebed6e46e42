import Foundation

/// Parses JSON with `JSONSerialization` into a `[String: Any]` or an `[Any]`.
///
/// JSON with another type at the top level fails with the cause
/// ``RequestError/Cause/JSONResponseIsNotDictionaryOrArray``; see ``StandardTransformer/json(allowingFragments:)``.
///
/// - Parameter transformErrors: True to parse the entities of errors, too. The default is true.
public func JSONResponseTransformer(_ transformErrors: Bool = true) -> any ResponseTransformer {
    JSONTransformation.transformer(transformErrors: transformErrors, allowingFragments: false)
}

enum JSONTransformation {
    static func transformer(transformErrors: Bool, allowingFragments: Bool) -> any ResponseTransformer {
        ResponseContentTransformer(transformErrors: transformErrors) { (entity: Entity<Data>) -> Any? in
            let value = try JSONSerialization.jsonObject(with: entity.content, options: .fragmentsAllowed)
            guard allowingFragments || value is [String: Any] || value is [Any] else {
                throw RequestError.Cause.JSONResponseIsNotDictionaryOrArray(actualType: type(of: value))
            }
            return value
        }
    }
}
