import HTTPRules

extension XMLTree {
    /// An attribute of an element. A namespace declaration (`xmlns`) is not an attribute.
    public struct Attribute: Sendable, Equatable {
        /// The name with its namespace. An attribute without a prefix belongs to no namespace (Namespaces in XML 1.0
        /// §6.2).
        public let name: Name
        /// The value, without its quotes. References such as `&amp;` are replaced by the characters that they stand
        /// for.
        public let value: String

        /// Creates an attribute from its name and its value.
        public init(name: Name, value: String) {
            self.name = name
            self.value = value
        }

        /// Returns true if the names and the values are equal. Values with more than 30 combining marks in a row are
        /// compared by their bytes, because `String` would take quadratic time for them.
        public static func == (left: Attribute, right: Attribute) -> Bool {
            left.name == right.name && StreamSafety.areEqual(left.value, right.value)
        }
    }
}
