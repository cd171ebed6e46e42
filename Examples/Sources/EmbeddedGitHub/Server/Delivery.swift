import Foundation

/// What goes over the wire for one request, and at which pace.
struct Delivery: Sendable, Equatable {
    /// One thing to do.
    enum Step: Sendable, Equatable {
        case send([UInt8])
        case pause(TimeInterval)
        /// Sends the events after one as they occur, until the client leaves.
        case stream(after: Int)
    }

    private(set) var steps: [Step] = []

    /// Whether the connection is of use afterwards.
    let keepsAlive: Bool

    /// The status that the client gets to see; nil if it sees none.
    let status: Int?

    /// Plans how to send an answer.
    ///
    /// Without a limit on the pace it is one write. With one, the head goes at once and the content in about ten pieces
    /// a second. A cut content keeps its `Content-Length` and ends half way.
    init(_ response: HTTPResponse, isHead: Bool, keepsAlive: Bool, behaviour: EmbeddedGitHub.Behaviour = .init()) {
        var body = isHead || !response.mayHaveContent ? [] : response.body[...]
        let isCut = behaviour.fault == .cutBody && !body.isEmpty
        if isCut { body = body.prefix(body.count / 2) }
        self.keepsAlive = keepsAlive && !isCut && response.streamsAfter == nil
        status = response.status
        let head = response.head(keepsAlive: self.keepsAlive)
        if let id = response.streamsAfter {
            steps = [.send(head + body), .stream(after: id)]
            return
        }
        guard let pace = behaviour.bytesPerSecond, !body.isEmpty else {
            steps = [.send(head + body)]
            return
        }
        steps = [.send(head)] + Self.paced(body, bytesPerSecond: max(pace, 1))
    }

    /// Plans something else than HTTP, or nothing at all, before the connection is closed.
    init(nonsense: [UInt8]) {
        steps = nonsense.isEmpty ? [] : [.send(nonsense)]
        (keepsAlive, status) = (false, nil)
    }

    /// Sends nothing, and keeps the connection open.
    static var silent: Delivery {
        var delivery = Delivery(nonsense: [])
        delivery.steps = [.pause(.infinity)]
        return delivery
    }

    private static func paced(_ body: ArraySlice<UInt8>, bytesPerSecond pace: Int) -> [Step] {
        let size = max(pace / 10, 1)
        return stride(from: body.startIndex, to: body.endIndex, by: size).flatMap { start in
            let piece = body[start..<min(start + size, body.endIndex)]
            return [Step.pause(Double(piece.count) / Double(pace)), .send(Array(piece))]
        }
    }
}
