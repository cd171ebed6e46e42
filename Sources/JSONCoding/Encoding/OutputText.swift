#if os(Linux) || os(Android)
import Foundation

/// A growing JSON text.
///
/// The pointer is unsafe because `Data` can take over its memory without a copy, and because an array would check at
/// each byte whether it shares its storage. Only this type uses the pointer. Each write is preceded by `reserve`.
final class OutputText {
    private(set) var count = 0
    private var capacity: Int
    private var base: UnsafeMutableRawPointer
    /// Eight times the byte that is escaped in addition to quotation marks, backslashes and control characters.
    private let escaped: UInt64

    init(escapesSlashes: Bool) {
        capacity = 1024
        base = OutputText.memory(nil, capacity)
        escaped = escapesSlashes ? Escapes.slashes : Escapes.quotationMarks
    }

    deinit { free(base) }

    /// The first byte, or nil if there is none.
    var first: UInt8? { count == 0 ? nil : base.load(as: UInt8.self) }

    /// Returns the text, without a copy if it is large. The object becomes empty.
    func take() -> Data {
        guard count > 4096 else { return Data(bytes: base, count: count) }
        if count > 1 << 16, capacity - count > count / 4 { base = OutputText.memory(base, count) }
        let data = Data(bytesNoCopy: base, count: count, deallocator: .free)
        (base, capacity, count) = (OutputText.memory(nil, 1), 1, 0)
        return data
    }

    /// Returns memory of another size with the same content. Large memory is moved without a copy.
    private static func memory(_ old: UnsafeMutableRawPointer?, _ size: Int) -> UnsafeMutableRawPointer {
        guard let memory = realloc(old, size) else { fatalError("There is no memory for \(size) bytes of JSON.") }
        return memory
    }

    @inline(__always)
    func append(_ byte: UInt8) {
        reserve(1)
        base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count &+= 1
    }

    /// Appends ASCII characters as they are.
    @inline(__always)
    func append(literal: StaticString) {
        let length = literal.utf8CodeUnitCount
        reserve(length)
        (base + count).copyMemory(from: literal.utf8Start, byteCount: length)
        count &+= length
    }

    /// Appends bytes as they are.
    func append(raw bytes: Span<UInt8>) {
        reserve(bytes.count)
        let target = base + count
        bytes.withUnsafeBytes { if let start = $0.baseAddress { target.copyMemory(from: start, byteCount: $0.count) } }
        count &+= bytes.count
    }

    /// Appends the digits of a number from `number`, below 10 to the power of `digits`.
    @inline(__always)
    func append(_ number: UInt64, digits: Int) {
        reserve(digits)
        var rest = number
        for position in (count..<count &+ digits).reversed() {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            base.storeBytes(of: 0x30 | UInt8(truncatingIfNeeded: digit), toByteOffset: position, as: UInt8.self)
            rest = quotient
        }
        count &+= digits
    }

    /// Appends a string with quotation marks and escapes.
    @inline(__always)
    func append(_ string: String) { append(string: string.utf8.span) }

    func append(string bytes: Span<UInt8>) {
        let raw = bytes.bytes
        let length = bytes.count
        reserve(length &+ 2)
        append(UInt8(ascii: "\""))
        var index = 0
        while index &+ 8 <= length {
            append(word: raw.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self), 8)
            index &+= 8
        }
        if index < length { append(word: Escapes.lastWord(raw, from: index, to: length), length &- index) }
        append(UInt8(ascii: "\""))
    }

    /// Appends the first bytes of a word, with escapes.
    @inline(__always)
    private func append(word: UInt64, _ length: Int) {
        // The word is stored as a whole. The next write replaces the bytes after its end.
        reserve(8)
        base.storeBytes(of: word.littleEndian, toByteOffset: count, as: UInt64.self)
        let first = Escapes.first(in: word, or: escaped)
        guard first < length else {
            count &+= length
            return
        }
        count &+= first
        appendEscape(word &>> UInt64(first &* 8), length &- first)
    }

    /// Appends the first bytes of a word that begins with a byte that is escaped.
    @inline(never)
    private func appendEscape(_ word: UInt64, _ length: Int) {
        Escapes.append(UInt8(truncatingIfNeeded: word), to: self)
        if length > 1 { append(word: word >> 8, length &- 1) }
    }

    /// Replaces the end of the text, from `start` on, by these of its parts, separated by commas.
    func reorder(from start: Int, _ parts: [Range<Int>]) {
        let old = [UInt8](UnsafeRawBufferPointer(start: base, count: count)[start...])
        count = start
        for part in parts {
            if count > start { append(UInt8(ascii: ",")) }
            append(raw: old.span.extracting(part.lowerBound - start..<part.upperBound - start))
        }
    }

    /// Makes room for a number of bytes.
    @inline(__always)
    private func reserve(_ bytes: Int) {
        if capacity &- count < bytes { grow(bytes) }
    }

    @inline(never)
    private func grow(_ bytes: Int) {
        capacity = max(capacity * 2, count + bytes)
        base = OutputText.memory(base, capacity)
    }
}
#endif
