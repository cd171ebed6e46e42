import HTTPRules

extension XMLTree {
    /// A child of an element: another element, or text.
    public enum Node: Sendable, Equatable {
        /// A child element.
        case element(Element)
        /// Text between two tags, including CDATA sections. In a parsed document, text nodes are never empty, and are
        /// never adjacent.
        case text(String)

        /// Returns true if both nodes are equal elements or equal texts. Texts with more than 30 combining marks in a row
        /// are compared by their bytes, because `String` would take quadratic time for them.
        public static func == (left: Node, right: Node) -> Bool {
            switch (left, right) {
            case (.element(let left), .element(let right)): left == right
            case (.text(let left), .text(let right)): StreamSafety.areEqual(left, right)
            default: false
            }
        }
    }
}
