import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Brings a response from a session's delegate queue to a receiver, one call at a time, and knows how far that is
/// behind.
final class ReceiverFeed: Sendable {
    private let pieces: AsyncStream<Data>.Continuation
    private let waiting = Locked(0)
    private let work: Task<(any Error)?, Never>

    /// Begins with the head of the response. `onTaken` is called after each piece, `onFailure` if the receiver throws.
    init(
        _ response: HTTPURLResponse, to receiver: any ResponseReceiver,
        onTaken: @escaping @Sendable () -> Void = {}, onFailure: @escaping @Sendable (any Error) -> Void = { _ in }
    ) {
        let (stream, pieces) = AsyncStream.makeStream(of: Data.self)
        self.pieces = pieces
        work = Task { [waiting] in
            do {
                try await receiver.begin(response)
                for await piece in stream {
                    try Task.checkCancellation()  // which the stream heeds only once it is empty
                    try await receiver.receive(piece)
                    waiting.withLock { $0 -= piece.count }
                    onTaken()
                }
                return nil
            } catch {
                onFailure(error)
                return error
            }
        }
    }

    /// How many bytes the receiver has yet to take.
    var waitingBytes: Int { waiting.withLock { $0 } }

    /// Takes the next bytes.
    func append(_ data: Data) {
        guard !data.isEmpty else { return }
        waiting.withLock { $0 += data.count }
        pieces.yield(data)
    }

    /// Nothing more comes. What waits is still handed over, unless it is of no use.
    func end(isUseful: Bool) {
        pieces.finish()
        if !isUseful { work.cancel() }
    }

    /// The receiver's error, if it threw one, after the last call to it has returned.
    var failure: (any Error)? {
        get async { await work.value }
    }
}
