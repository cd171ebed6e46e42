extension XMLTree {
    /// A child of an element.
    public enum Node: Sendable, Equatable {
        /// A child element.
        case element(Element)
        /// Text between tags, including CDATA sections. A text is never empty, and never next to another text.
        case text(String)
    }
}
