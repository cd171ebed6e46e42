#if os(Linux) || os(Android)
import Foundation

/// The keys of the objects that are not finished. Finds keys that repeat, and sorts keys.
struct KeyList: ~Copyable {
    /// The number of keys above which an object gets a set.
    private static let maximumScan = 64

    private let isSorted: Bool
    private var hashes = CheckedBuffer<UInt64>(capacity: 64)
    /// The sets of large objects, by their numbers.
    private var sets: [Int: Set<UInt64>] = [:]
    /// If the keys are sorted, the keys, and the positions at which they begin.
    private var names: [(name: String, start: Int)] = []
    /// The number of bytes that were moved.
    private var moved = 0

    init(isSorted: Bool) { self.isSorted = isSorted }

    var count: Int { hashes.count }

    /// Adds a key to an object. Returns false if the object has this key already.
    mutating func add(_ name: String, to object: inout Frame, at start: Int) -> Bool {
        // Other keys with this hash are so improbable that they may be treated as equal: the document is doubtful.
        let hash = KeyList.hash(name)
        let bit: UInt64 = 1 << (hash & 63)
        if object.keyBits & bit != 0, contains(hash, object) { return false }
        object.keyBits |= bit
        hashes.append(hash)
        if hashes.count - object.firstKey > KeyList.maximumScan { addToSet(hash, object) }
        if isSorted { names.append((name, start)) }
        return true
    }

    private func contains(_ hash: UInt64, _ object: Frame) -> Bool {
        if hashes.count - object.firstKey > KeyList.maximumScan { return sets[object.serial]?.contains(hash) == true }
        for index in object.firstKey..<hashes.count where hashes[index] == hash { return true }
        return false
    }

    private mutating func addToSet(_ hash: UInt64, _ object: Frame) {
        if sets[object.serial] == nil {
            sets[object.serial] = Set((object.firstKey..<hashes.count).map { hashes[$0] })
        } else {
            sets[object.serial]?.insert(hash)
        }
    }

    /// Returns a hash that equal strings have in common, also strings that are equal only canonically.
    @inline(__always)
    private static func hash(_ name: String) -> UInt64 {
        let bytes = name.utf8.span
        return ByteHash.isASCII(bytes) ? ByteHash.hash(bytes) : hash(composed: name)
    }

    @inline(never)
    private static func hash(composed name: String) -> UInt64 {
        ByteHash.hash(name.precomposedStringWithCanonicalMapping.utf8.span)
    }

    /// Removes the keys of an object, and sorts its text if necessary. Returns false if that takes too long.
    mutating func closeObject(_ object: Frame, _ text: OutputText) -> Bool {
        if hashes.count - object.firstKey > KeyList.maximumScan { sets[object.serial] = nil }
        hashes.truncate(to: object.firstKey)
        guard isSorted else { return true }
        let sorted = names[object.firstKey...].indices.sorted { KeyList.precedes(names[$0].name, names[$1].name) }
        if !zip(sorted, sorted.dropFirst()).allSatisfy({ $0 < $1 }) {
            let start = names[object.firstKey].start
            moved += text.count - start
            // Objects inside objects are moved more than once.
            guard moved < 1 << 20 || moved / 32 < text.count else { return false }
            let end = names.count
            text.reorder(
                from: start, sorted.map { names[$0].start..<($0 + 1 < end ? names[$0 + 1].start - 1 : text.count) })
        }
        names.removeSubrange(object.firstKey...)
        return true
    }

    /// Foundation compares the bytes, also where the order of strings is another one.
    private static func precedes(_ first: String, _ second: String) -> Bool {
        let (a, b) = (first.utf8.span, second.utf8.span)
        for index in 0..<min(a.count, b.count) where a[index] != b[index] { return a[index] < b[index] }
        return a.count < b.count
    }
}
#endif
