extension XMLTree {
    /// The name of an element or an attribute. Two names are equal if their local names and their namespaces are equal;
    /// prefixes are ignored.
    public struct Name: Sendable, Hashable, CustomStringConvertible {
        /// The name without its prefix.
        public let localName: String
        /// The URI of the namespace; nil if the name belongs to no namespace.
        public let namespace: String?
        /// The prefix in the document; nil if the name has no prefix.
        public let prefix: String?

        /// Creates a name from its parts.
        public init(_ localName: String, namespace: String? = nil, prefix: String? = nil) {
            self.localName = localName
            self.namespace = namespace
            self.prefix = prefix
        }

        /// The name as it appears in the document, with its prefix.
        public var description: String { prefix.map { "\($0):\(localName)" } ?? localName }

        /// Returns true if both names have the same local name and the same namespace.
        public static func == (left: Name, right: Name) -> Bool {
            left.localName == right.localName && left.namespace == right.namespace
        }

        /// Hashes the local name and the namespace.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(localName)
            hasher.combine(namespace)
        }
    }
}
