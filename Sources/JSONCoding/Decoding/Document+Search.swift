#if os(Linux) || os(Android)
extension Document {
    /// The number of pairs above which an object gets an index, so that no order of look-ups costs more than its
    /// size.
    private static let maximumScan = 64

    /// Returns the index of the node of the value with a name, or -1. The first of several equal keys counts.
    @inline(__always)
    func find(_ name: String, in index: Int) -> Int {
        let object = text.nodes[index]
        let bytes = name.utf8.span
        // Types usually read the values in the order of the text. The hint is wrong if an earlier key can be equal.
        let hint = Int(object.small)
        if hint < object.count, !object.hasDuplicates, !hasMergedKeys {
            let pair = object.firstPair &+ hint
            let entry = text.keys.entries[Int(text.pairKeys[pair])]
            if entry.length == bytes.count, text.keys.isEqual(entry, to: bytes, at: 0) {
                if object.small < .max { text.nodes[index].small = object.small &+ 1 }
                return Int(text.pairNodes[pair])
            }
        }
        return search(bytes, in: index)
    }

    /// Returns the key of a pair as it is in the text.
    func originalName(ofPair pair: Int) -> String {
        guard let originalKeys else { return text.keys.name(Int(text.pairKeys[pair])) }
        return originalKeys.names[Int(originalKeys.pairKeys[pair])]
    }

    /// Returns the key of a pair, converted from snake case if the decoder does so.
    func name(ofPair pair: Int) -> String {
        options.convertsFromSnakeCase ? text.keys.name(Int(text.pairKeys[pair])) : originalName(ofPair: pair)
    }

    @inline(never)
    private func search(_ name: Span<UInt8>, in index: Int) -> Int {
        let object = text.nodes[index]
        var key = text.keys.find(name, hash: ByteHash.hash(name))
        if key < 0 { key = text.keys.find(canonicallyEqualTo: name) }
        guard key >= 0, let position = position(of: key, object, index) else { return -1 }
        if position < Int(Int16.max) { text.nodes[index].small = Int16(truncatingIfNeeded: position + 1) }
        return Int(text.pairNodes[object.firstPair + position])
    }

    private func position(of key: Int32, _ object: Node, _ index: Int) -> Int? {
        guard object.count <= Document.maximumScan else { return largeIndex(object, index)[key] }
        let first = object.firstPair
        for position in 0..<object.count where text.pairKeys[first &+ position] == UInt32(bitPattern: key) {
            return position
        }
        return nil
    }

    private func largeIndex(_ object: Node, _ index: Int) -> [Int32: Int] {
        if let known = indexes[index] { return known }
        var positions = [Int32: Int](minimumCapacity: object.count)
        for position in (0..<object.count).reversed() {
            positions[Int32(bitPattern: text.pairKeys[object.firstPair + position])] = position
        }
        indexes[index] = positions
        return positions
    }
}
#endif
