#if os(Linux) || os(Android)
import Foundation

/// The keys of a document. Equal keys have one number.
struct KeyTable: ~Copyable {
    /// A key: its hash, and its text in `text`.
    struct Entry: BitwiseCopyable {
        let hash: UInt64
        let offset: UInt32
        let length: UInt32
        /// A Boolean value that indicates whether the text of the key is the same with and without escapes.
        let isLiteral: Bool
    }

    /// The number of slots that a search visits before the document counts as doubtful. Hashes without an attack
    /// never come close.
    private static let maximumSteps = 512

    private(set) var entries = CheckedBuffer<Entry>(capacity: 32)
    private(set) var text: [UInt8] = []
    private var slots: [Int32] = Array(repeating: -1, count: 128)
    /// All keys by their names as strings, as soon as one of them is not ASCII. Strings can be equal where their
    /// bytes are not: é can be one or two characters.
    private var names: [String: Int32] = [:]
    private var hasNonASCII = false

    var count: Int { entries.count }

    /// Returns the name of a key.
    func name(_ key: Int) -> String {
        let entry = entries[key]
        let (start, length) = (Int(entry.offset), Int(entry.length))
        return text.span.extracting(start..<start + length).withUnsafeBufferPointer {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// Returns true if the bytes at `position` are those of the key. `bytes` must have as many.
    @inline(__always)
    func isEqual(_ entry: Entry, to bytes: Span<UInt8>, at position: Int) -> Bool {
        ByteHash.areEqual(bytes, at: position, text.span, at: Int(entry.offset), count: Int(entry.length))
    }

    /// Returns the number of the key with these bytes, or -1.
    func find(_ bytes: Span<UInt8>, hash: UInt64) -> Int32 {
        let mask = slots.count &- 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while true {
            let key = slots[slot]
            if key < 0 { return -1 }
            let entry = entries[Int(key)]
            if entry.hash == hash, entry.length == bytes.count, isEqual(entry, to: bytes, at: 0) { return key }
            slot = (slot &+ 1) & mask
        }
    }

    /// Returns the number of the key whose name equals the name with these bytes as a string, or -1.
    func find(canonicallyEqualTo bytes: Span<UInt8>) -> Int32 {
        let isASCII = bytes.indices.allSatisfy { bytes[$0] < 0x80 }
        guard hasNonASCII || !isASCII, let name = Strings.validated(bytes) else { return -1 }
        if hasNonASCII { return names[name] ?? -1 }
        // Few characters, such as the sign of kelvin, are equal to characters of ASCII.
        let composed = name.precomposedStringWithCanonicalMapping
        guard composed.utf8.allSatisfy({ $0 < 0x80 }) else { return -1 }
        return find(composed.utf8.span, hash: ByteHash.hash(composed.utf8.span))
    }

    /// Adds a key that is not in the table. Returns nil if the table cannot tell it from all other keys.
    mutating func add(_ bytes: Span<UInt8>, hash: UInt64, isLiteral: Bool) -> Int32? {
        let number = Int32(truncatingIfNeeded: entries.count)
        guard addName(bytes, number) else { return nil }
        let offset = text.count
        bytes.withUnsafeBufferPointer { text.append(contentsOf: $0) }
        entries.append(
            Entry(
                hash: hash, offset: UInt32(truncatingIfNeeded: offset), length: UInt32(truncatingIfNeeded: bytes.count),
                isLiteral: isLiteral))
        if entries.count * 2 < slots.count { return place(Int(number)) ? number : nil }
        return rehash() ? number : nil
    }

    private mutating func addName(_ bytes: Span<UInt8>, _ number: Int32) -> Bool {
        var high: UInt8 = 0
        for index in bytes.indices { high |= bytes[index] }
        if high >= 0x80, !hasNonASCII {
            hasNonASCII = true
            for key in 0..<entries.count { names[name(key)] = Int32(truncatingIfNeeded: key) }
        }
        guard hasNonASCII else { return true }
        guard let name = Strings.validated(bytes) else { return false }
        return names.updateValue(number, forKey: name) == nil
    }

    private mutating func place(_ key: Int) -> Bool {
        let mask = slots.count &- 1
        var slot = Int(truncatingIfNeeded: entries[key].hash) & mask
        var steps = 0
        while slots[slot] >= 0 {
            slot = (slot &+ 1) & mask
            steps &+= 1
            if steps > KeyTable.maximumSteps { return false }
        }
        slots[slot] = Int32(truncatingIfNeeded: key)
        return true
    }

    private mutating func rehash() -> Bool {
        slots = Array(repeating: -1, count: slots.count * 4)
        return (0..<entries.count).allSatisfy { place($0) }
    }
}
#endif
