#if os(Linux) || os(Android)
import Foundation
import HTTPRules

/// The keys of a document. Keys of equal bytes have one number.
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
    private var text = CheckedBuffer<UInt8>(capacity: 1024)
    /// The number of a key, or -1, at each place. The count is a power of two.
    private var slots = CheckedBuffer<Int32>(repeating: -1, count: 128)
    /// All keys by their names as strings, as soon as one of them is not ASCII. Strings can be equal where their
    /// bytes are not: é can be one or two characters.
    private var names: [String: Int32] = [:]
    private var hasNonASCII = false
    /// The first of the keys that are equal as strings, for each of the others.
    private var firstSpellings: [Int32: Int32] = [:]

    var count: Int { entries.count }

    /// True if two keys are equal as strings.
    var hasSpellings: Bool { !firstSpellings.isEmpty }

    /// Returns the number of the first key that is equal to a key as a string.
    func firstSpelling(of key: Int32) -> Int32 { firstSpellings[key] ?? key }

    /// Returns the name of a key.
    func name(_ key: Int) -> String {
        let entry = entries[key]
        let (start, length) = (Int(entry.offset), Int(entry.length))
        return text.withSpan { text in
            text.extracting(start..<start + length).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// Returns true if the bytes at `position` are those of the key. `bytes` must have as many.
    @inline(__always)
    func isEqual(_ entry: Entry, to bytes: Span<UInt8>, at position: Int) -> Bool {
        text.withSpan {
            ByteHash.areEqual(bytes, at: position, $0, at: Int(entry.offset), count: Int(entry.length))
        }
    }

    /// Returns the number of the first spelling of the key with these bytes, or -1.
    func find(_ bytes: Span<UInt8>, hash: UInt64) -> Int32 {
        let key = search(bytes, hash).key
        return hasSpellings ? firstSpelling(of: key) : key
    }

    /// Returns the number of the key with these bytes, or -1, the slot where the search ended, and the number of other
    /// keys that it met.
    @inline(__always)
    private func search(_ bytes: Span<UInt8>, _ hash: UInt64) -> (key: Int32, slot: Int, steps: Int) {
        let mask = slots.count &- 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        var steps = 0
        while true {
            let key = slots[slot]
            if key < 0 { return (-1, slot, steps) }
            let entry = entries[Int(key)]
            if entry.hash == hash, entry.length == bytes.count, isEqual(entry, to: bytes, at: 0) {
                return (key, slot, steps)
            }
            slot = (slot &+ 1) & mask
            steps &+= 1
        }
    }

    /// Returns the number of the key whose name equals the name with these bytes as a string, or -1.
    func find(canonicallyEqualTo bytes: Span<UInt8>) -> Int32 {
        guard hasNonASCII || !ByteHash.isASCII(bytes), let name = Strings.validated(bytes) else { return -1 }
        if hasNonASCII { return names[name] ?? -1 }
        // Few characters, such as the sign of kelvin, are equal to characters of ASCII.
        let composed = name.precomposedStringWithCanonicalMapping
        guard composed.utf8.allSatisfy({ $0 < 0x80 }) else { return -1 }
        return find(composed.utf8.span, hash: ByteHash.hash(composed.utf8.span))
    }

    /// Returns the number of a key, which is added if it is new. Returns -1 if it must not be hashed as a string, and if
    /// too many keys have similar hashes.
    ///
    /// - Parameters:
    ///   - isASCII: True if all bytes are ASCII.
    ///   - isEscaped: True if the text contains the key with escapes.
    ///   - hash: The hash of the key. A test can choose equal ones.
    mutating func number(of bytes: Span<UInt8>, isASCII: Bool, isEscaped: Bool, hash: UInt64? = nil) -> Int32 {
        let hash = hash ?? ByteHash.hash(bytes)
        let (known, slot, steps) = search(bytes, hash)
        guard known < 0 else { return known }
        guard steps <= KeyTable.maximumSteps else { return -1 }
        let number = Int32(truncatingIfNeeded: entries.count)
        if hasNonASCII || !isASCII {
            guard addName(bytes, number) else { return -1 }
        }
        add(bytes, hash, isLiteral: !isEscaped || KeyTable.isLiteral(bytes))
        slots[slot] = number
        return entries.count * 2 < slots.count || rehash() ? number : -1
    }

    private mutating func add(_ bytes: Span<UInt8>, _ hash: UInt64, isLiteral: Bool) {
        let (offset, length) = (UInt32(truncatingIfNeeded: text.count), UInt32(truncatingIfNeeded: bytes.count))
        text.append(bytes, from: 0, to: bytes.count)
        entries.append(Entry(hash: hash, offset: offset, length: length, isLiteral: isLiteral))
    }

    private static func isLiteral(_ bytes: Span<UInt8>) -> Bool {
        bytes.indices.allSatisfy { bytes[$0] >= 0x20 && bytes[$0] != 0x22 && bytes[$0] != 0x5C }
    }

    /// Adds the name of a key to `names`. Returns false if it must not be hashed.
    private mutating func addName(_ bytes: Span<UInt8>, _ number: Int32) -> Bool {
        if !hasNonASCII {
            hasNonASCII = true
            for key in 0..<entries.count { names[name(key)] = Int32(truncatingIfNeeded: key) }
        }
        guard let name = Strings.validated(bytes), StreamSafety.allows(name) else { return false }
        if let first = names[name] { firstSpellings[number] = first } else { names[name] = number }
        return true
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
        slots = CheckedBuffer(repeating: -1, count: slots.count * 4)
        return (0..<entries.count).allSatisfy { place($0) }
    }
}
#endif
