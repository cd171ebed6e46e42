extension XMLTree {
    /// An element with its attributes and its children.
    public struct Element: Sendable, Equatable {
        /// The name with its namespace.
        public var name: Name
        /// The attributes. The parser sorts them by name, because attributes have no order in XML.
        public var attributes: [Attribute]
        /// The child elements and the text between them, in document order.
        public var children: [Node]
        /// The line of the start tag, beginning with 1; 0 for an element that was not parsed. Comparisons ignore the
        /// line.
        public var line: Int

        /// Creates an element from its parts.
        public init(_ name: Name, attributes: [Attribute] = [], children: [Node] = [], line: Int = 0) {
            self.name = name
            self.attributes = attributes
            self.children = children
            self.line = line
        }

        /// Returns true if the names, the attributes and the children of both elements are equal.
        public static func == (left: Element, right: Element) -> Bool {
            left.name == right.name && left.attributes == right.attributes && left.children == right.children
        }
    }
}

extension XMLTree.Element {
    /// The child elements, in document order.
    public var elements: [XMLTree.Element] {
        children.compactMap { if case .element(let element) = $0 { element } else { nil } }
    }

    /// Returns the child elements with the given local name, in any namespace.
    public func elements(_ localName: String) -> [XMLTree.Element] {
        elements.filter { $0.name.localName == localName }
    }

    /// Returns the child elements with the given local name and namespace. Pass nil for elements that belong to no
    /// namespace.
    public func elements(_ localName: String, namespace: String?) -> [XMLTree.Element] {
        elements.filter { $0.name.localName == localName && $0.name.namespace == namespace }
    }

    /// The first child element with the given local name, in any namespace; nil if there is no such element.
    public subscript(_ localName: String) -> XMLTree.Element? { firstElement { $0.localName == localName } }

    /// The first child element with the given local name and namespace; nil if there is no such element.
    public subscript(_ localName: String, namespace namespace: String?) -> XMLTree.Element? {
        firstElement { $0.localName == localName && $0.namespace == namespace }
    }

    private func firstElement(_ isFound: (XMLTree.Name) -> Bool) -> XMLTree.Element? {
        for case .element(let element) in children where isFound(element.name) { return element }
        return nil
    }

    /// Returns the value of the attribute with the given local name; nil if there is no such attribute. If several
    /// attributes have this local name, the attribute without a namespace takes precedence.
    public func attribute(_ localName: String) -> String? {
        let found = attributes.filter { $0.name.localName == localName }
        return (found.first { $0.name.namespace == nil } ?? found.first)?.value
    }

    /// Returns the value of the attribute with the given local name and namespace; nil if there is no such attribute.
    /// Pass nil for an attribute that belongs to no namespace.
    public func attribute(_ localName: String, namespace: String?) -> String? {
        attributes.first { $0.name.localName == localName && $0.name.namespace == namespace }?.value
    }

    /// The text directly in this element, without the text in its child elements.
    public var text: String {
        children.reduce(into: "") { if case .text(let text) = $1 { $0 += text } }
    }

    /// The text in this element and in all its descendants, in document order.
    public var stringValue: String {
        var result = ""
        appendText(to: &result)
        return result
    }

    private func appendText(to result: inout String) {
        for child in children {
            switch child {
            case .text(let text): result += text
            case .element(let element): element.appendText(to: &result)
            }
        }
    }
}
