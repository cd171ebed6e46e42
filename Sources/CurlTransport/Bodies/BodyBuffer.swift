#if os(Linux)
import Foundation

/// A response body in memory, which grows as it comes.
///
/// Small bodies are copied out, so that the buffer serves the next response, too; large ones are handed over. Beyond
/// what it keeps for the next response, the buffer takes its memory from a budget, until it hands the body over.
struct BodyBuffer: ~Copyable {
    private let budget: BodyBudget
    private var bytes: UnsafeMutableRawPointer?
    private(set) var capacity = 0
    private(set) var count = 0

    /// Whether more bytes could be taken.
    enum Outcome {
        case taken, overLimit, overBudget, outOfMemory
    }

    init(budget: BodyBudget) {
        self.budget = budget
    }

    deinit {
        budget.release(Self.charge(capacity))
        free(bytes)
    }

    /// Appends bytes. The first time, `announced` bytes are made room for, though no more than 4 MB on a server's word.
    mutating func append(_ piece: UnsafeRawBufferPointer, announced: Int, limit: Int) -> Outcome {
        guard let source = piece.baseAddress, !piece.isEmpty else { return .taken }
        guard piece.count <= limit - count else { return .overLimit }
        let needed = count + piece.count
        if needed > capacity {
            let wanted = count == 0 ? min(announced, Self.trustedLength) : min(capacity * 2, limit)
            let refusal = grow(to: max(needed, wanted, Self.smallest))
            if let refusal { return refusal }
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
        forgetCapacity()
        return Data(bytesNoCopy: handedOver, count: count, deallocator: .free)
    }

    /// Forgets the bytes.
    mutating func clear() {
        count = 0
        if capacity > Self.kept { release() }
    }

    /// Makes the buffer larger; nil if that worked.
    private mutating func grow(to size: Int) -> Outcome? {
        let charge = Self.charge(size) - Self.charge(capacity)
        guard budget.reserve(charge) else { return .overBudget }
        guard let grown = realloc(bytes, size) else {
            budget.release(charge)
            return .outOfMemory
        }
        bytes = grown
        capacity = size
        return nil
    }

    /// The bytes that count against the budget: small buffers are always allowed.
    private static func charge(_ capacity: Int) -> Int { max(0, capacity - kept) }

    private mutating func release() {
        free(bytes)
        bytes = nil
        forgetCapacity()
    }

    private mutating func forgetCapacity() {
        budget.release(Self.charge(capacity))
        capacity = 0
    }

    private static let smallest = 4 << 10
    private static let copied = 16 << 10
    private static let kept = 64 << 10
    private static let trustedLength = 4 << 20
}
#endif
