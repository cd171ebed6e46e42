#if os(Linux) || os(Android)
import Foundation
import Isolation

/// Passes a response body from the engine's thread to a consumer. While the consumer is slow, tells the engine to stop
/// receiving the response.
///
/// An encoded body is decoded in slices in the consumer's task, so that no other exchange waits.
final class BodyOutlet: Sendable {
    private let consumer: any BodyConsumer
    private let coding: ContentCoding?
    private let state = Locked(State())
    private let onDrained: @Sendable () -> Void
    private let onEnd: @Sendable (TransportError?) -> Void

    fileprivate struct State {
        var pending = Data()
        var end: End?
        /// True if the consumer was told that the body is complete. After that, the consumer's result is the result of
        /// the exchange.
        var isFinishing = false
        var isHeld = false
        /// The consumer's task, while no bytes are pending.
        var reader = Waiters()
        var task: Task<Void, Never>?
    }

    enum End {
        case complete
        /// The connection was lost. The consumer still receives the bytes that had arrived, and may resume the download
        /// later.
        case brokenOff
        /// The exchange failed. Waiting bytes are dropped.
        case failed
    }

    /// The result of appending a piece, for the engine.
    enum Outcome {
        case taken
        /// The piece was taken. The engine should stop receiving this response until `onDrained` is called.
        case hold
        /// The piece was taken. The engine must stop receiving this response at once, until `onDrained` is called,
        /// because too many bytes have arrived since the last `hold`.
        case stop
    }

    /// Creates an outlet. It calls `onDrained` when it can take bytes again. It calls `onEnd` once, after the
    /// consumer's final call has returned.
    init(
        _ consumer: any BodyConsumer, coding: ContentCoding? = nil, onDrained: @escaping @Sendable () -> Void,
        onEnd: @escaping @Sendable (TransportError?) -> Void
    ) {
        self.consumer = consumer
        self.coding = coding
        self.onDrained = onDrained
        self.onEnd = onEnd
    }

    /// Starts to call the consumer.
    func begin(_ head: ResponseHead) {
        let task = Task { await run(head) }
        state.withLock { $0.task = task }
    }

    func append(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        let (outcome, reader) = state.withLock { state -> (Outcome, Waiters) in
            state.pending.append(contentsOf: bytes)
            if state.pending.count >= Self.highWater { state.isHeld = true }
            let isOverflow = state.pending.count >= Self.overflowLimit
            return (isOverflow ? .stop : state.isHeld ? .hold : .taken, state.reader.take())
        }
        reader.resume()
        return outcome
    }

    /// True if the outlet can take no more bytes until `onDrained`.
    var isFull: Bool {
        state.withLock { $0.isHeld }
    }

    /// Ends the body. Returns false if the consumer has already been told that the body is complete.
    @discardableResult
    func end(_ end: End) -> Bool {
        let (reader, task, isFinishing) = state.withLock { state in
            if state.end == nil || end == .failed {
                state.end = end
            }
            return (state.reader.take(), end == .failed ? state.task : nil, state.isFinishing)
        }
        task?.cancel()
        reader.resume()
        return !isFinishing
    }

    private func run(_ head: ResponseHead) async {
        do {
            try await consumer.begin(head)
            if let coding {
                try await decode(coding)
            } else {
                while let piece = await nextPiece() {
                    try await consumer.consume(piece)
                }
            }
            if beginsToFinish() {
                try await consumer.finish()
            } else {
                await consumer.abandon()
            }
            onEnd(nil)
        } catch {
            await consumer.abandon()
            onEnd(
                error as? TransportError
                    ?? TransportError(.bodyConsumer, "The consumer failed: \(error)", underlyingError: error))
        }
    }

    private func decode(_ coding: ContentCoding) async throws {
        let decoder = ContentDecoder(coding)
        while let piece = await nextPiece() {
            decoder.append(piece)
            while let slice = try decoder.slice() {
                try Task.checkCancellation()
                try await consumer.consume(slice)
            }
        }
        if isComplete { try decoder.finish() }
    }

    private var isComplete: Bool {
        state.withLock { $0.end == .complete }
    }

    /// Returns true if the body is complete. A later end does not change this result.
    private func beginsToFinish() -> Bool {
        state.withLock { state in
            state.isFinishing = state.end == .complete
            return state.isFinishing
        }
    }

    /// Waits for bytes, and returns all bytes that have arrived; nil at the end.
    private func nextPiece() async -> Data? {
        while true {
            let (piece, isOver, wasHeld) = state.withLock { $0.takePending() }
            if wasHeld { onDrained() }
            if let piece { return piece }
            if isOver { return nil }
            await state.wait(in: \.reader) { !$0.pending.isEmpty || $0.end != nil }
        }
    }

    private static let highWater = 512 << 10
    private static let overflowLimit = 1536 << 10
}

extension BodyOutlet.State {
    fileprivate mutating func takePending() -> (piece: Data?, isOver: Bool, wasHeld: Bool) {
        defer { isHeld = false }
        if case .failed = end { return (nil, true, false) }
        guard !pending.isEmpty else { return (nil, end != nil, isHeld) }
        defer { pending = Data() }
        return (pending, false, isHeld)
    }
}
#endif
