#if os(Linux) || os(Android)
/// A value in a document, and the keys that lead to it. The value of the whole document has no path node.
final class PathNode {
    let key: any CodingKey
    let parent: PathNode?
    /// The index of the node of the value.
    let node: UInt32

    init(_ key: any CodingKey, _ parent: PathNode?, _ node: Int) {
        self.key = key
        self.parent = parent
        self.node = UInt32(truncatingIfNeeded: node)
    }
}

extension Optional<PathNode> {
    /// The index of the node of the value.
    @inline(__always)
    var node: Int {
        guard let self else { return 0 }
        return Int(self.node)
    }

    /// The keys that lead to the value.
    var keys: [any CodingKey] {
        var result: [any CodingKey] = []
        var next = self
        while let current = next {
            result.append(current.key)
            next = current.parent
        }
        return result.reversed()
    }

    /// The keys that lead to a part of the value.
    func keys(appending key: (some CodingKey)?) -> [any CodingKey] {
        guard let key else { return keys }
        return keys + [key]
    }
}
#endif
