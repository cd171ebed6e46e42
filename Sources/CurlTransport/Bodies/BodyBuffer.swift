#if os(Linux) || os(Android)
import Foundation

/// A response body in memory. The buffer grows while the body arrives.
///
/// A small body is copied out of the buffer, which keeps its memory for the next response. A large body takes over the
/// memory of the buffer. The buffer reserves its memory in a budget until it returns the body, except the part that it
/// keeps for the next response.
struct BodyBuffer: ~Copyable {
    private let budget: BodyBudget
    private var bytes: UnsafeMutableRawPointer?
    private(set) var capacity = 0
    private(set) var count = 0

    /// The result of appending bytes.
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

    /// Appends bytes. The first call reserves room for `announced` bytes, but at most 4 MB, because servers may
    /// announce wrong lengths.
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

    /// Returns the received bytes, and empties the buffer.
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

    mutating func clear() {
        count = 0
        if capacity > Self.kept { release() }
    }

    /// Makes the buffer larger. Returns nil on success, and otherwise the reason for the failure.
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

    /// Returns the number of bytes that count against the budget. Small buffers do not count.
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
