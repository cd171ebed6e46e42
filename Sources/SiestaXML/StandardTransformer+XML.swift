public import SiestaCore

extension StandardTransformer {
    /// Parses `application/xml`, `text/xml` and `*/*+xml` with ``XMLResponseTransformer(_:limits:)``.
    ///
    ///     let service = Service(
    ///         baseURL: "https://api.example.com", standardTransformers: [.xml, .json, .text, .image])
    ///
    /// Put this transformer before ``text`` and ``image``. In another order, ``text`` decodes `text/xml`, and ``image``
    /// reads `image/svg+xml`.
    public static let xml = xml(limits: XMLLimits())

    /// Parses XML in the same way as ``xml``, with other limits.
    public static func xml(limits: XMLLimits) -> StandardTransformer {
        StandardTransformer("XML", contentTypes: ["application/xml", "text/xml", "*/*+xml"]) {
            XMLResponseTransformer(limits: limits)
        }
    }
}

extension TypedContentAccessors {
    /// The content as an XML document; nil if there is no content or the content has another type.
    public var xml: XMLTree? { typedContent() }
}
