/// The transformers that a service has unless it is told otherwise.
public struct StandardTransformer: Sendable {
    let name: String
    let add: @Sendable (inout Pipeline) -> Void

    private init(
        _ name: String, contentTypes: [String], _ transformer: @escaping @Sendable () -> any ResponseTransformer
    ) {
        self.name = name
        add = { $0[.parsing].add(transformer(), contentTypes: contentTypes) }
    }

    /// Parses `*/json` and `*/*+json` with ``JSONResponseTransformer(_:)``.
    public static let json = StandardTransformer("JSON", contentTypes: jsonContentTypes) { JSONResponseTransformer() }

    /// Like ``json``, but accepts any JSON value at the top level if `allowingFragments`: strings, numbers, `true`,
    /// `null` too.
    ///
    /// Such a value becomes `String`, `NSNumber` or `NSNull` content.
    public static func json(allowingFragments: Bool) -> StandardTransformer {
        StandardTransformer("JSON", contentTypes: jsonContentTypes) {
            JSONTransformation.transformer(transformErrors: true, allowingFragments: allowingFragments)
        }
    }

    /// Decodes `text/*` as ``TextResponseTransformer(_:)`` does, unless another transformer has parsed it already.
    public static let text = StandardTransformer("text", contentTypes: ["text/*"]) { TextDecoding.standardTransformer }

    /// Reads `image/*` with ``ImageResponseTransformer(_:)``.
    public static let image = StandardTransformer("image", contentTypes: ["image/*"]) { ImageResponseTransformer() }

    private static let jsonContentTypes = ["*/json", "*/*+json"]
}
