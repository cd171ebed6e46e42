/// A transformer that services have by default.
public struct StandardTransformer: Sendable {
    let name: String
    let add: @Sendable (inout Pipeline) -> Void

    /// Creates a transformer of the `.parsing` stage for some content types.
    package init(
        _ name: String, contentTypes: [String], _ transformer: @escaping @Sendable () -> any ResponseTransformer
    ) {
        self.name = name
        add = { $0[.parsing].add(transformer(), contentTypes: contentTypes) }
    }

    /// A transformer that parses bodies of the types `*/json` and `*/*+json` with ``JSONResponseTransformer(_:)``.
    public static let json = StandardTransformer("JSON", contentTypes: jsonContentTypes) { sharedJSON }

    /// Made once, because each configuration gets it.
    private static let sharedJSON = JSONResponseTransformer()

    /// Returns a transformer that parses JSON in the same way as ``json``. If `allowingFragments` is true, the
    /// transformer accepts any JSON value at the top level.
    ///
    /// Strings, numbers, Booleans and `null` at the top level become a `String`, an `NSNumber` or an `NSNull`.
    public static func json(allowingFragments: Bool) -> StandardTransformer {
        StandardTransformer("JSON", contentTypes: jsonContentTypes) {
            JSONTransformer(transformErrors: true, allowingFragments: allowingFragments)
        }
    }

    /// A transformer that decodes bodies of the types `text/*` with ``TextResponseTransformer(_:)``.
    ///
    /// Content that another transformer has already parsed stays unchanged, for example the JSON object in a body of
    /// type `text/json`. However, if another transformer has already decoded the text to a `String`, the response fails
    /// with ``RequestError/Cause/WrongInputTypeInTranformerPipeline``. A string from the JSON transformer does not
    /// cause this failure. If your own transformer decodes text in an earlier stage, remove this transformer from the
    /// pipeline.
    public static let text = StandardTransformer("text", contentTypes: ["text/*"]) { TextDecoding.standardTransformer }

    /// A transformer that converts bodies of the types `image/*` with ``ImageResponseTransformer(_:)``.
    public static let image = StandardTransformer("image", contentTypes: ["image/*"]) { ImageResponseTransformer() }

    /// Returns true if a standard JSON transformer parses content of this type.
    static func isJSON(_ contentType: String) -> Bool { jsonPatterns.contains { $0.matches(contentType) } }

    private static let jsonContentTypes = ["*/json", "*/*+json"]
    private static let jsonPatterns = jsonContentTypes.map(ContentTypePattern.init)
}
