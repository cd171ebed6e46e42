import Foundation

/// A request body that reports the pieces that the provider reads.
struct ObservedBody: StreamedBody {
    let body: any StreamedBody
    let observer: any ExchangeObserver

    var length: Int64? { body.length }

    var isRepeatable: Bool { body.isRepeatable }

    func makeReader() throws -> any BodyReader {
        let reader = try body.makeReader()
        observer.receive(.beganBody)
        return Reader(reader: reader, observer: observer)
    }

    private struct Reader: BodyReader {
        let reader: any BodyReader
        let observer: any ExchangeObserver

        func next() async throws -> Data? {
            let piece = try await reader.next()
            if let piece { observer.receive(.sent(piece)) }
            return piece
        }
    }

    /// The same for a body that must not be copied to a file.
    private struct Sealed: SealedBody {
        let observed: ObservedBody

        var length: Int64? { observed.length }

        var isRepeatable: Bool { observed.isRepeatable }

        func makeReader() throws -> any BodyReader { try observed.makeReader() }
    }

    /// Returns `body` as an observed body. A small body in memory stays as it is, because providers recognise its type:
    /// the observer receives it at once.
    static func observing(_ body: any StreamedBody, with observer: any ExchangeObserver) -> any StreamedBody {
        if let content = (body as? SegmentedBody)?.content {
            observer.receive(.beganBody)
            observer.receive(.sent(content))
            return body
        }
        let observed = ObservedBody(body: body, observer: observer)
        return body is any SealedBody ? Sealed(observed: observed) : observed
    }
}

extension SegmentedBody {
    /// The whole body, if it is in memory.
    fileprivate var content: Data? {
        var content = Data()
        for segment in segments {
            guard case .bytes(let data) = segment else { return nil }
            content += data
        }
        return content
    }
}
