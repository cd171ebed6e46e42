public import SiestaCore

extension StandardTransformer {
    /// A transformer that parses `application/xml`, `text/xml` and `*/*+xml` with
    /// ``XMLResponseTransformer(_:limits:)``.
    ///
    ///     let service = Service(
    ///         baseURL: "https://api.example.com", standardTransformers: [.xml, .json, .text, .image])
    ///
    /// Put this transformer before ``text`` and ``image``. In another order, ``text`` would decode `text/xml`, and
    /// ``image`` would read `image/svg+xml`.
    public static let xml = xml(limits: XMLLimits())

    /// Returns a transformer that parses XML in the same way as ``xml``, but with the given limits.
    public static func xml(limits: XMLLimits) -> StandardTransformer {
        StandardTransformer("XML", contentTypes: ["application/xml", "text/xml", "*/*+xml"]) {
            XMLResponseTransformer(limits: limits)
        }
    }
}

extension TypedContentAccessors {
    /// The content as an XML document; nil if there is no content, or if the content is not an ``XMLTree``.
    public var xml: XMLTree? { typedContent() }
}
