#if os(Linux) || os(Android)
/// A value in a document, and the keys that lead to it. A container refers to nothing else, because the standard
/// library copies containers at each call.
final class Location {
    let document: Document
    /// The index of the node of the value.
    let node: Int
    /// The last key, or nil for the value of the whole document.
    private let key: (any CodingKey)?
    private let parent: Location?

    init(_ document: Document, _ node: Int, key: (any CodingKey)? = nil, in parent: Location? = nil) {
        (self.document, self.node, self.key, self.parent) = (document, node, key, parent)
    }

    /// Returns the location of a part of the value.
    func part(_ node: Int, _ key: any CodingKey) -> Location { Location(document, node, key: key, in: self) }

    /// The keys that lead to the value.
    var codingPath: [any CodingKey] {
        var result: [any CodingKey] = []
        var next: Location? = self
        while let current = next {
            if let key = current.key { result.append(key) }
            next = current.parent
        }
        return result.reversed()
    }

    /// Returns the keys that lead to a part of the value, or to the value.
    func codingPath(appending key: (any CodingKey)?) -> [any CodingKey] {
        guard let key else { return codingPath }
        return codingPath + [key]
    }
}
#endif
