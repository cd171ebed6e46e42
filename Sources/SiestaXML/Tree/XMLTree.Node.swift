extension XMLTree {
    /// A child of an element: another element, or text.
    public enum Node: Sendable, Equatable {
        /// A child element.
        case element(Element)
        /// Text between two tags, including CDATA sections. In a parsed document, text nodes are never empty, and are
        /// never adjacent.
        case text(String)
    }
}
