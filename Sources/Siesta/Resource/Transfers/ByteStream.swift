import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Hands one response from the network to one consumer, a piece at a time: the next is taken from the network when the
/// one before was asked for.
final class ByteStream: ResponseReceiver {
    private let state = Locked(State())
    private let onAbandon: @Sendable () -> Void

    private struct State {
        var head: ProviderAnswer.Head?
        var piece: Data?
        var refusal = RefusalBody()
        var outcome: Result<Void, RequestError>?
        var isAbandoned = false
        /// Whoever waits for the consumer, and the consumer if it waits.
        var producer: CheckedContinuation<Void, Never>?
        var consumer: CheckedContinuation<Void, Never>?
    }

    /// Creates a stream; `onAbandon` is called when nobody wants more.
    init(onAbandon: @escaping @Sendable () -> Void) {
        self.onAbandon = onAbandon
    }

    // MARK: The network's side

    func begin(_ response: HTTPURLResponse) async throws {
        let head = ProviderAnswer.Head(status: response.statusCode, fields: HeaderFields(response))
        state.withLock { $0.head = head }
    }

    func receive(_ piece: Data) async throws {
        let consumer = try state.withLock { state in
            guard !state.isAbandoned else { throw CancellationError() }
            guard state.head?.isRefusal == false else {
                try state.refusal.append(piece)
                return CheckedContinuation<Void, Never>?.none
            }
            state.piece = piece
            return state.consumer.take()
        }
        consumer?.resume()
        await withCheckedContinuation { continuation in
            let mustWait = state.withLock { state in
                let mustWait = state.piece != nil && !state.isAbandoned
                if mustWait { state.producer = continuation }
                return mustWait
            }
            if !mustWait { continuation.resume() }
        }
    }

    /// What the server sent instead of what was asked for, or the error that prevented an answer; nil if all went well.
    func refusal(_ error: (any Error)?) -> ProviderAnswer? {
        state.withLock { state in
            if let error, !(error is RefusalBody.Overflow) { return ProviderAnswer(head: nil, body: nil, error: error) }
            guard let head = state.head, head.isRefusal else { return nil }
            return ProviderAnswer(head: head, body: state.refusal.content, error: nil)
        }
    }

    /// The response is over. Only the first call counts.
    func end(_ outcome: Result<Void, RequestError>) {
        let consumer = state.withLock { state in
            if state.outcome == nil { state.outcome = outcome }
            return state.consumer.take()
        }
        consumer?.resume()
    }

    // MARK: The consumer's side

    /// Nobody wants more: what is waiting goes.
    func abandon() {
        // The error is made, and an old one released, without the lock, since both may run any code.
        let cancellation = Result<Void, RequestError>.failure(.cancelled())
        let (waiting, _, _) = state.withLock { state in
            state.isAbandoned = true
            let isCutShort = state.outcome == nil || state.piece != nil
            let outcome = isCutShort ? exchange(&state.outcome, with: cancellation) : nil
            return ([state.producer.take(), state.consumer.take()], outcome, state.piece.take())
        }
        for continuation in waiting { continuation?.resume() }
        onAbandon()
    }

    /// Whether a piece is there.
    var hasPiece: Bool { state.withLock { $0.piece != nil } }

    /// Waits for the next piece; nil at the end, and after an error was thrown.
    func next() async throws(RequestError) -> Data? {
        while true {
            if Task.isCancelled { abandon() }  // also where there is always a next piece
            if let step = take() { return try step.get() }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isReady = state.withLock { state in
                        let isReady = state.piece != nil || state.outcome != nil
                        if !isReady { state.consumer = continuation }
                        return isReady
                    }
                    if isReady { continuation.resume() }
                }
            } onCancel: {
                abandon()
            }
        }
    }

    /// The next piece or the end, if either is there.
    private func take() -> Result<Data?, RequestError>? {
        let (step, producer) = state.withLock {
            state -> (Result<Data?, RequestError>?, CheckedContinuation<Void, Never>?) in
            if let piece = state.piece.take() { return (.success(piece), state.producer.take()) }
            guard let outcome = state.outcome else { return (nil, nil) }
            state.outcome = .success(())
            return (outcome.map { nil }, nil)
        }
        producer?.resume()
        return step
    }
}

extension ProviderAnswer.Head {
    /// Whether the body is not what was asked for, but says why that is not given.
    fileprivate var isRefusal: Bool { !(200..<300).contains(status) }
}
