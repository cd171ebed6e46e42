#if os(Linux) || os(Android)
import Foundation
import Isolation

/// Passes a request body from a source to the engine's thread, and reads ahead of it.
///
/// The last piece of an announced length is held back until the source has ended. Otherwise, if the source continues,
/// the server would treat the body as complete.
final class BodyInlet: Sendable {
    private let source: any BodySource
    private let length: Int64?
    private let state = Locked(State())
    private let onReady: @Sendable () -> Void

    fileprivate struct State {
        var pending: ArraySlice<Data> = []  // removing the first piece of a slice does not move the other pieces
        var pendingBytes = 0
        var offset = 0
        var total: Int64 = 0
        var isOver = false
        var error: TransportError?
        var isStarved = false
        /// The task that reads the source, while there is no room for another piece.
        var writer = Waiters()
        var task: Task<Void, Never>?
    }

    /// The result of asking for bytes.
    enum Supply: Equatable {
        case bytes(Int)
        /// No bytes are available now; `onReady` will be called.
        case later
        case end
        case failed
    }

    /// Creates an inlet. After ``Supply/later``, it calls `onReady` as soon as bytes, the end or an error are
    /// available.
    init(_ source: any BodySource, length: Int64?, onReady: @escaping @Sendable () -> Void) {
        self.source = source
        self.length = length
        self.onReady = onReady
    }

    /// Starts to read the source. Rewinds the source first if it was used before.
    ///
    /// `previous` is the stopped inlet that used the source before. The new inlet waits until the last call of
    /// `previous` to the source has returned, and drops the result of that call.
    func begin(rewinding: Bool, after previous: BodyInlet? = nil) {
        let earlier = previous?.task
        let task = Task {
            await earlier?.value
            await run(rewinding: rewinding)
        }
        state.withLock { $0.task = task }
    }

    private var task: Task<Void, Never>? {
        state.withLock { $0.task }
    }

    /// The error of the source; nil if the source has not failed.
    var error: TransportError? {
        state.withLock { $0.error }
    }

    /// Copies bytes to `buffer`.
    func take(into buffer: UnsafeMutableRawBufferPointer) -> Supply {
        let (supply, writer) = state.withLock { state in
            let supply = state.take(into: buffer, length: length)
            let hasRoom = state.pendingBytes < Self.highWater || supply == .later
            return (supply, hasRoom ? state.writer.take() : Waiters())
        }
        writer.resume()
        return supply
    }

    /// Stops reading the source.
    func stop() {
        let (task, writer) = state.withLock { state in
            state.isOver = true
            return (state.task, state.writer.take())
        }
        task?.cancel()
        writer.resume()
    }

    private func run(rewinding: Bool) async {
        guard !state.withLock({ $0.isOver }) else { return }
        do {
            if rewinding {
                try await source.rewind()
            }
            while let piece = try await source.next() {
                guard await push(piece) else { return }
            }
            let total = state.withLock { $0.total }
            finish(total == length ?? total ? nil : wrongLength)
        } catch {
            finish(
                error as? TransportError
                    ?? TransportError(.bodySource, "The body source failed: \(error)", underlyingError: error))
        }
    }

    /// Adds a piece, and waits until there is room for another piece. Returns false if the inlet was stopped, or if the
    /// piece exceeds the announced length.
    private func push(_ piece: Data) async -> Bool {
        guard !piece.isEmpty else { return true }
        let (isWanted, wasStarved) = state.withLock { state in
            guard !state.isOver else { return (false, false) }
            guard Int64(piece.count) <= (length ?? .max) - state.total else { return (false, false) }
            // Not earlier: while the total is equal to `length`, the last piece is held back.
            state.total += Int64(piece.count)
            state.pending.append(piece)
            state.pendingBytes += piece.count
            defer { state.isStarved = false }
            return (true, state.isStarved)
        }
        guard isWanted else {
            finish(wrongLength)
            return false
        }
        if wasStarved { onReady() }
        await state.wait(in: \.writer) { $0.pendingBytes < Self.highWater || $0.isOver || $0.isStarved }
        return true
    }

    private func finish(_ error: TransportError?) {
        let wasStarved = state.withLock { state in
            guard !state.isOver else { return false }
            state.isOver = true
            state.error = error
            defer { state.isStarved = false }
            return state.isStarved
        }
        if wasStarved { onReady() }
    }

    private var wrongLength: TransportError {
        TransportError(.bodySource, "The length of the body is not the announced length of \(length ?? 0) bytes")
    }

    private static let highWater = 256 << 10
}

extension BodyInlet.State {
    /// Fills `buffer` with as many pieces as possible, because libcurl asks only once for each packet, even if the
    /// pieces are small.
    fileprivate mutating func take(into buffer: UnsafeMutableRawBufferPointer, length: Int64?) -> BodyInlet.Supply {
        guard error == nil else { return .failed }
        var taken = 0
        while taken < buffer.count, let piece = nextPiece(length) {
            taken += take(piece, into: UnsafeMutableRawBufferPointer(rebasing: buffer[taken...]))
        }
        guard taken == 0 else { return .bytes(taken) }
        isStarved = !isOver
        return isOver ? .end : .later
    }

    /// Returns the first piece that may be sent. The last piece is held back until the source has ended.
    private func nextPiece(_ length: Int64?) -> Data? {
        let mustHoldBack = !isOver && pending.count == 1 && total == length
        return mustHoldBack ? nil : pending.first
    }

    private mutating func take(_ piece: Data, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, piece.count - offset)
        let start = piece.startIndex + offset
        piece.copyBytes(to: buffer, from: start..<start + count)
        offset += count
        pendingBytes -= count
        if offset == piece.count {
            pending.removeFirst()
            offset = 0
        }
        return count
    }
}
#endif
