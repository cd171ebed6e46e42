#if os(Linux) || os(Android)
extension TextParser {
    /// Reads an array.
    mutating func array(_ bytes: Span<UInt8>) -> Bool {
        guard depth < TextParser.maximumDepth else { return false }
        depth &+= 1
        position &+= 1
        let index = text.nodes.count
        text.nodes.append(Node(kind: .array))
        var count: UInt32 = 0
        skipSpace(bytes)
        if byte(bytes, at: position) == UInt8(ascii: "]") {
            position &+= 1
        } else {
            while true {
                guard value(bytes) else { return false }
                count &+= 1
                guard let isOpen = hasNext(bytes, close: UInt8(ascii: "]")) else { return false }
                if !isOpen { break }
            }
        }
        text.nodes[index].offset = count
        text.nodes[index].value = UInt64(text.nodes.count)
        depth &-= 1
        return true
    }

    /// Reads an object.
    mutating func object(_ bytes: Span<UInt8>) -> Bool {
        guard depth < TextParser.maximumDepth else { return false }
        depth &+= 1
        position &+= 1
        let index = text.nodes.count
        text.nodes.append(Node(kind: .object))
        let firstPending = pending.count
        serial &+= 1
        let ownSerial = serial
        var hasDuplicates = false
        skipSpace(bytes)
        if byte(bytes, at: position) == UInt8(ascii: "}") {
            position &+= 1
        } else {
            var key: Int32 = -1
            while true {
                key = self.key(bytes, after: key)
                guard key >= 0 else { return false }
                if stamps[Int(key)] == ownSerial { hasDuplicates = true }
                stamps[Int(key)] = ownSerial
                if byte(bytes, at: position) != UInt8(ascii: ":") { skipSpace(bytes) }
                guard byte(bytes, at: position) == UInt8(ascii: ":") else { return false }
                position &+= 1
                skipAnySpace(bytes)
                pending.append(Pair(key: UInt32(bitPattern: key), node: UInt32(truncatingIfNeeded: text.nodes.count)))
                guard value(bytes) else { return false }
                guard let isOpen = hasNext(bytes, close: UInt8(ascii: "}")) else { return false }
                if !isOpen { break }
            }
        }
        closeObject(index, from: firstPending, hasDuplicates: serial == ownSerial ? hasDuplicates : nil)
        depth &-= 1
        return true
    }

    /// Moves the pairs of an object to their place. Looks for duplicates if `hasDuplicates` is nil: the objects
    /// inside the object have then overwritten the stamps of keys.
    private mutating func closeObject(_ index: Int, from firstPending: Int, hasDuplicates: Bool?) {
        let firstPair = text.pairKeys.count
        let count = pending.count - firstPending
        for position in firstPending..<pending.count {
            let pair = pending[position]
            text.pairKeys.append(pair.key)
            text.pairNodes.append(pair.node)
        }
        pending.truncate(to: firstPending)
        let isDuplicate = hasDuplicates ?? stampAgain(firstPair, count)
        text.nodes[index].flags = isDuplicate ? Node.hasDuplicates : 0
        text.nodes[index].offset = UInt32(truncatingIfNeeded: count)
        text.nodes[index].value = UInt64(text.nodes.count) | UInt64(firstPair) << 32
    }

    private mutating func stampAgain(_ firstPair: Int, _ count: Int) -> Bool {
        serial &+= 1
        var isDuplicate = false
        for pair in firstPair..<firstPair + count {
            let key = Int(text.pairKeys[pair])
            if stamps[key] == serial { isDuplicate = true }
            stamps[key] = serial
        }
        return isDuplicate
    }

    /// Reads a key and returns its number, or -1 if it is doubtful. Most keys follow the same key as the last time.
    @inline(__always)
    private mutating func key(_ bytes: Span<UInt8>, after previous: Int32) -> Int32 {
        guard byte(bytes, at: position) == UInt8(ascii: "\"") else { return -1 }
        position &+= 1
        let guess = previous < 0 ? firstKeys[depth & 63] : successors[Int(previous)]
        if guess >= 0 {
            let entry = text.keys.entries[Int(guess)]
            let close = position &+ Int(entry.length)
            if close < end, bytes[close] == UInt8(ascii: "\""), entry.isLiteral,
                text.keys.isEqual(entry, to: bytes, at: position)
            {
                position = close &+ 1
                return guess
            }
        }
        return searchKey(bytes, after: previous)
    }

    @inline(never)
    private mutating func searchKey(_ bytes: Span<UInt8>, after previous: Int32) -> Int32 {
        let start = position
        var flags: UInt8 = 0
        guard let length = scanString(bytes, &flags) else { return -1 }
        let key: Int32
        if flags & Node.hasEscapes == 0 {
            key = number(of: bytes.extracting(start..<start + length), isASCII: flags == 0, isEscaped: false)
        } else {
            guard Strings.hasValidEscapes(bytes, from: start, to: start + length) else { return -1 }
            var unescaped = CheckedBuffer<UInt8>(capacity: length)
            Strings.unescape(bytes, from: start, to: start + length, into: &unescaped)
            key = unescaped.withSpan { number(of: $0, isASCII: ByteHash.isASCII($0), isEscaped: true) }
        }
        guard key >= 0 else { return -1 }
        if previous < 0 { firstKeys[depth & 63] = key } else { successors[Int(previous)] = key }
        return key
    }

    /// Returns the number of a key, which is added if it is new, or -1.
    @inline(__always)
    private mutating func number(of key: Span<UInt8>, isASCII: Bool, isEscaped: Bool) -> Int32 {
        let count = text.keys.count
        let number = text.keys.number(of: key, isASCII: isASCII, isEscaped: isEscaped)
        if text.keys.count > count {
            successors.append(-1)
            stamps.append(0)
        }
        return number
    }
}
#endif
