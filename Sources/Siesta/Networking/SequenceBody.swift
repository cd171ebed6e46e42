import Foundation

/// A body whose pieces a sequence brings, which can be sent once.
struct SequenceBody<Pieces: AsyncSequence & Sendable>: StreamedBody where Pieces.Element == Data {
    let length: Int64?
    private let pieces: Pieces
    private let isTaken = Locked(false)

    init(_ pieces: Pieces, length: Int64?) {
        self.pieces = pieces
        self.length = length
    }

    var isRepeatable: Bool { false }

    func makeReader() throws -> any BodyReader {
        let wasTaken = isTaken.withLock { isTaken in
            defer { isTaken = true }
            return isTaken
        }
        guard !wasTaken else { throw RequestError.Cause.UnrepeatableBody() }
        return Reader(pieces)
    }

    private actor Reader: BodyReader {
        private var iterator: Pieces.AsyncIterator?

        init(_ pieces: Pieces) {
            iterator = pieces.makeAsyncIterator()
        }

        func next() async throws -> Data? {
            guard var taken = iterator.take() else { return nil }  // nobody else has it meanwhile: one call at a time
            do {
                let piece = try await taken.next(isolation: self)
                if piece != nil { iterator = taken }
                return piece
            } catch {
                throw RequestError.Cause.UnreadableBody(file: nil, underlyingError: error)
            }
        }
    }
}
