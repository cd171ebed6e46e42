#if os(Linux)
import Foundation

/// Passes a request body from a source to the engine's thread, and reads a little ahead.
///
/// The last piece of an announced length is held back until the source has ended. Otherwise the server would treat a
/// body that continues as complete.
final class BodyInlet: Sendable {
    private let source: any BodySource
    private let length: Int64?
    private let state = Locked(State())
    private let onReady: @Sendable () -> Void

    fileprivate struct State {
        var pending: ArraySlice<Data> = []  // removing the first piece of a slice does not move the others
        var pendingBytes = 0
        var offset = 0
        var total: Int64 = 0
        var isOver = false
        var error: TransportError?
        var isStarved = false
        var writer: CheckedContinuation<Void, Never>?
        var task: Task<Void, Never>?
    }

    /// The result of asking for bytes.
    enum Supply: Equatable {
        case bytes(Int)
        /// No bytes now; `onReady` will be called.
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

    /// Starts to read the source, after rewinding it if it was used before.
    ///
    /// `previous` is the stopped inlet that used the source. The source is not called before its last call from there
    /// has returned; the result of that call is dropped.
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

    /// The error of the source; nil if it has not failed.
    var error: TransportError? {
        state.withLock { $0.error }
    }

    /// Copies bytes to `buffer`.
    func take(into buffer: UnsafeMutableRawBufferPointer) -> Supply {
        let (supply, writer) = state.withLock { state in
            let supply = state.take(into: buffer, length: length)
            let hasRoom = state.pendingBytes < Self.highWater || supply == .later
            return (supply, hasRoom ? state.takeWriter() : nil)
        }
        writer?.resume()
        return supply
    }

    /// Stops reading the source.
    func stop() {
        let (task, writer) = state.withLock { state in
            state.isOver = true
            return (state.task, state.takeWriter())
        }
        task?.cancel()
        writer?.resume()
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

    /// Adds a piece, and waits until there is room for another. Returns false if the inlet was stopped or the piece
    /// exceeds the announced length.
    private func push(_ piece: Data) async -> Bool {
        guard !piece.isEmpty else { return true }
        let (isWanted, wasStarved) = state.withLock { state in
            guard !state.isOver else { return (false, false) }
            guard Int64(piece.count) <= (length ?? .max) - state.total else { return (false, false) }
            state.total += Int64(piece.count)  // Not earlier: while the total is `length`, the last piece is held back.
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
        await withCheckedContinuation { continuation in
            let hasRoom = state.withLock { state in
                let hasRoom = state.pendingBytes < Self.highWater || state.isOver || state.isStarved
                if !hasRoom { state.writer = continuation }
                return hasRoom
            }
            if hasRoom { continuation.resume() }
        }
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
        TransportError(.bodySource, "The body does not have the \(length ?? 0) bytes that were announced")
    }

    private static let highWater = 256 << 10
}

extension BodyInlet.State {
    fileprivate mutating func takeWriter() -> CheckedContinuation<Void, Never>? {
        defer { writer = nil }
        return writer
    }

    /// Fills `buffer` with as many pieces as fit: libcurl asks once for each packet, even if the pieces are small.
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
        let mayGoOn = !isOver && pending.count == 1 && total == length
        return mayGoOn ? nil : pending.first
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
