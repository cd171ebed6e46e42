/// The limits for an XML document. The parser rejects a document that exceeds a limit.
public struct XMLLimits: Sendable {
    /// The maximum size of the document, in bytes. The default is 32 MB.
    public var maximumSize = 32 << 20

    /// The maximum depth of nested elements. The default is 256. Values above 512 are reduced to 512.
    public var maximumDepth: Int {
        get { depth }
        set { depth = min(max(newValue, 1), Self.deepest) }
    }

    /// The maximum total number of elements, attributes and text nodes. The default is 1 000 000.
    public var maximumNodeCount = 1_000_000

    /// The maximum number of attributes of one element, including namespace declarations. The default is 256.
    public var maximumAttributeCount = 256

    /// Each level of a document needs a part of the stack of a thread when the tree is decoded or released.
    private static let deepest = 512
    private var depth = 256

    /// The maximum size of one tag, text, comment or CDATA section, in bytes. Foundation's parser fails above 10 MB.
    static let maximumTokenSize = 8 << 20

    /// Creates the default limits.
    public init() {}
}
