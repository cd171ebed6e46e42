#if os(Linux)
import Foundation

/// A response body in memory, which grows as it comes.
///
/// Small bodies are copied out, so that the buffer serves the next response, too; large ones are handed over.
struct BodyBuffer: ~Copyable {
    private var bytes: UnsafeMutableRawPointer?
    private(set) var capacity = 0
    private(set) var count = 0

    /// Whether more bytes could be taken.
    enum Outcome {
        case taken, overLimit, outOfMemory
    }

    deinit {
        free(bytes)
    }

    /// Appends bytes. The first time, `announced` bytes are made room for, though no more than 4 MB on a server's word.
    mutating func append(_ piece: UnsafeRawBufferPointer, announced: Int, limit: Int) -> Outcome {
        guard let source = piece.baseAddress, !piece.isEmpty else { return .taken }
        guard piece.count <= limit - count else { return .overLimit }
        let needed = count + piece.count
        if needed > capacity {
            let wanted = count == 0 ? min(announced, Self.trustedLength) : min(capacity * 2, limit)
            guard grow(to: max(needed, wanted, Self.smallest)) else { return .outOfMemory }
        }
        bytes?.advanced(by: count).copyMemory(from: source, byteCount: piece.count)
        count = needed
        return .taken
    }

    /// The bytes so far; the buffer is empty afterwards.
    mutating func take() -> Data {
        guard let bytes, count > 0 else { return Data() }
        defer { count = 0 }
        if count <= Self.copied {
            let data = Data(bytes: bytes, count: count)
            if capacity > Self.kept { release() }
            return data
        }
        let handedOver = capacity - count > count / 8 ? realloc(bytes, count) ?? bytes : bytes
        self.bytes = nil
        capacity = 0
        return Data(bytesNoCopy: handedOver, count: count, deallocator: .free)
    }

    /// Forgets the bytes.
    mutating func clear() {
        count = 0
        if capacity > Self.kept { release() }
    }

    private mutating func grow(to size: Int) -> Bool {
        guard let grown = realloc(bytes, size) else { return false }
        bytes = grown
        capacity = size
        return true
    }

    private mutating func release() {
        free(bytes)
        bytes = nil
        capacity = 0
    }

    private static let smallest = 4 << 10
    private static let copied = 16 << 10
    private static let kept = 64 << 10
    private static let trustedLength = 4 << 20
}
#endif
