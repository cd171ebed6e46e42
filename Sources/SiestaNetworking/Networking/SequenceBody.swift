package import Foundation
import Isolation

/// A body whose pieces come from a sequence. It can be sent only once.
package struct SequenceBody<Pieces: AsyncSequence & Sendable>: StreamedBody where Pieces.Element == Data {
    package let length: Int64?
    private let pieces: Pieces
    private let isTaken = Locked(false)

    package init(_ pieces: Pieces, length: Int64?) {
        self.pieces = pieces
        self.length = length
    }

    package var isRepeatable: Bool { false }

    package func makeReader() throws -> any BodyReader {
        let wasTaken = isTaken.withLock { isTaken in
            defer { isTaken = true }
            return isTaken
        }
        guard !wasTaken else { throw RequestError.Failure(.unrepeatableBody) }
        return Reader(pieces, length: length)
    }

    /// Reads the pieces, and checks that they have the announced length.
    ///
    /// The piece that completes the length is held back until the sequence has ended. A network that stops reading at
    /// the announced length would not notice further pieces.
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
            throw RequestError.Failure.unreadableBody(nil, UnexpectedLength(announced: length))
        }

        private func read() async throws -> Data? {
            guard var taken = iterator.take() else { return nil }  // no other call can interfere: one call at a time
            do {
                let piece = try await taken.next(isolation: self)
                if piece != nil { iterator = taken }
                return piece
            } catch {
                throw RequestError.Failure.unreadableBody(nil, error)
            }
        }
    }
}

/// The error of a sequence whose number of bytes differs from the announced length.
private struct UnexpectedLength: Error, CustomStringConvertible {
    let announced: Int64

    var description: String { "The length of the body is not the announced length of \(announced) bytes" }
}
