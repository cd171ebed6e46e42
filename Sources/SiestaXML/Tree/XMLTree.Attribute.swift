extension XMLTree {
    /// An attribute of an element. Declarations of namespaces are not attributes.
    public struct Attribute: Sendable, Equatable {
        /// The name. An attribute without a prefix belongs to no namespace (Namespaces in XML 1.0 §6.2).
        public let name: Name
        /// The value, without its quotes. References such as `&amp;` are replaced by their characters.
        public let value: String

        /// Creates an attribute.
        public init(name: Name, value: String) {
            self.name = name
            self.value = value
        }
    }
}
