import Foundation
import JSONCoding

/// Returns a transformer that parses JSON into a `[String: Any]` or an `[Any]`, as `JSONSerialization` does.
///
/// If the JSON has another type at the top level, the response fails with the cause
/// ``RequestError/Cause/JSONResponseIsNotDictionaryOrArray``; see ``StandardTransformer/json(allowingFragments:)``.
///
/// On Linux, parsing produces the same values as `JSONSerialization` in a fraction of the time; see
/// ``Configuration/usesFoundationJSON``.
///
/// - Parameter transformErrors: True to also parse the entities of errors. The default is true.
public func JSONResponseTransformer(_ transformErrors: Bool = true) -> any ResponseTransformer {
    JSONTransformer(transformErrors: transformErrors, allowingFragments: false)
}

/// A transformer that reads JSON. It has two forms; a configuration can select the one that leaves the work to Foundation.
struct JSONTransformer: ResponseTransformer {
    let accelerated: any ResponseTransformer
    fileprivate let withFoundation: any ResponseTransformer

    /// Creates a transformer from a function that makes both forms. The parameter of the function is true if Foundation
    /// must read the JSON.
    init(_ form: (_ usesFoundation: Bool) -> any ResponseTransformer) {
        (accelerated, withFoundation) = (form(false), form(true))
    }

    /// Creates a transformer to dictionaries and arrays.
    init(transformErrors: Bool, allowingFragments: Bool) {
        self.init { usesFoundation in
            ResponseContentTransformer(transformErrors: transformErrors) { (entity: Entity<Data>) -> Any? in
                let value = try JSONCoding.object(with: entity.json, usingFoundation: usesFoundation)
                guard allowingFragments || value is [String: Any] || value is [Any] else {
                    throw RequestError.Cause.JSONResponseIsNotDictionaryOrArray(actualType: type(of: value))
                }
                return value
            }.withLibraryCodeOnly()
        }
    }

    func process(_ response: Response) -> Response { accelerated.process(response) }

    var debugDescription: String { accelerated.debugDescription }
}

extension ResponseTransformer {
    /// The same transformer, in which each ``JSONTransformer`` is replaced by its form for Foundation.
    func withFoundationJSON() -> any ResponseTransformer {
        switch self {
        case let json as JSONTransformer: json.withFoundation
        case let filter as ContentTypeFilter:
            ContentTypeFilter(
                contentTypes: filter.contentTypes, transformer: filter.transformer.withFoundationJSON())
        case let errors as ErrorsOnly: ErrorsOnly(transformer: errors.transformer.withFoundationJSON())
        default: self
        }
    }
}
