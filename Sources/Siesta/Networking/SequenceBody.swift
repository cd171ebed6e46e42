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
        return Reader(pieces, length: length)
    }

    /// Reads the pieces, and compares them with the length that was announced.
    ///
    /// The piece that completes the length is held back until the sequence has ended: a network that stops reading at
    /// the announced length would not notice that the body goes on.
    private actor Reader: BodyReader {
        private var iterator: Pieces.AsyncIterator?
        private let length: Int64?
        private var total: Int64 = 0

        init(_ pieces: Pieces, length: Int64?) {
            iterator = pieces.makeAsyncIterator()
            self.length = length
        }

        func next() async throws -> Data? {
            let piece = try await read()
            guard let length else { return piece }
            guard let piece else {
                guard total == length else { try refuse(length) }
                return nil
            }
            guard total + Int64(piece.count) <= length else { try refuse(length) }
            total += Int64(piece.count)
            while total == length, let surplus = try await read() {
                guard surplus.isEmpty else { try refuse(length) }
            }
            return piece
        }

        private func refuse(_ length: Int64) throws -> Never {
            iterator = nil
            throw RequestError.Cause.UnreadableBody(file: nil, underlyingError: UnexpectedLength(announced: length))
        }

        private func read() async throws -> Data? {
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

/// A sequence has another number of bytes than was announced.
private struct UnexpectedLength: Error, CustomStringConvertible {
    let announced: Int64

    var description: String { "The body does not have the \(announced) bytes that were announced" }
}
