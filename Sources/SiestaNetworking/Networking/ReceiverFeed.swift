import Foundation
import Isolation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Passes a response from a session's delegate queue to a receiver, one call at a time. Counts the bytes that wait.
final class ReceiverFeed: Sendable {
    private let pieces: AsyncStream<Data>.Continuation
    private let waiting = Locked(0)
    private let work: Task<(any Error)?, Never>

    /// Creates a feed that begins with the head of the response. It calls `onTaken` after each piece, and `onFailure`
    /// if the receiver throws.
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
                    try Task.checkCancellation()  // the stream itself checks this only when it is empty
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

    /// The number of bytes that wait for the receiver.
    var waitingBytes: Int { waiting.withLock { $0 } }

    /// Adds the next bytes of the body.
    func append(_ data: Data) {
        guard !data.isEmpty else { return }
        waiting.withLock { $0 += data.count }
        pieces.yield(data)
    }

    /// Ends the feed. If `isUseful` is true, the receiver still receives the waiting bytes.
    func end(isUseful: Bool) {
        pieces.finish()
        if !isUseful { work.cancel() }
    }

    /// The error that the receiver threw; nil if it threw no error. Waits until the last call to the receiver has
    /// returned.
    var failure: (any Error)? {
        get async { await work.value }
    }
}
