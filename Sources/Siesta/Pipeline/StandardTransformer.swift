/// A transformer that services have by default.
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

    /// Parses JSON in the same way as ``json``. If `allowingFragments` is true, accepts any JSON value at the top
    /// level, including strings, numbers, `true` and `null`.
    ///
    /// The content of such a value is a `String`, an `NSNumber` or an `NSNull`.
    public static func json(allowingFragments: Bool) -> StandardTransformer {
        StandardTransformer("JSON", contentTypes: jsonContentTypes) {
            JSONTransformation.transformer(transformErrors: true, allowingFragments: allowingFragments)
        }
    }

    /// Decodes `text/*` in the same way as ``TextResponseTransformer(_:)``, unless another transformer has already
    /// parsed the content.
    public static let text = StandardTransformer("text", contentTypes: ["text/*"]) { TextDecoding.standardTransformer }

    /// Converts `image/*` with ``ImageResponseTransformer(_:)``.
    public static let image = StandardTransformer("image", contentTypes: ["image/*"]) { ImageResponseTransformer() }

    private static let jsonContentTypes = ["*/json", "*/*+json"]
}
