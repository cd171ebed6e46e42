import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Writes one answer to a download into its file, or keeps what a refusal says.
final class DownloadReceiver: ResponseReceiver {
    private let file: PartialFile
    private let point: ResumePoint?
    private let state = Locked(State())

    private struct State {
        var step: DownloadStep?
        var head: ProviderAnswer.Head?
        var refusal = RefusalBody()
        var count: Int64 = 0
    }

    init(_ file: PartialFile, asked point: ResumePoint?) {
        self.file = file
        self.point = point
    }

    func begin(_ response: HTTPURLResponse) async throws {
        let head = ProviderAnswer.Head(status: response.statusCode, fields: HeaderFields(response))
        let step = DownloadStep.after(status: head.status, head.fields, from: response.url, asked: point)
        state.withLock { ($0.step, $0.head) = (step, head) }
        switch step {
        case .write(let stretch): try await file.begin(stretch)
        case .startOver: throw CancellationError()
        case .senseless: throw URLError(.badServerResponse)
        case .refused, .noContent: break
        }
    }

    func receive(_ piece: Data) async throws {
        guard let stretch else { return try state.withLock { try $0.refusal.append(piece) } }
        let count = state.withLock { state in
            state.count += Int64(piece.count)
            return state.count
        }
        guard count <= stretch.length ?? .max else { throw URLError(.badServerResponse) }
        try await file.write(piece)
    }

    /// Whether the answer does not go with the part that is there, so that everything has to be asked for.
    var isOfNoUse: Bool { state.withLock { $0.step == .startOver } }

    /// What is written, if the answer belongs into the file.
    var stretch: DownloadStep.Stretch? {
        guard case .write(let stretch) = state.withLock({ $0.step }) else { return nil }
        return stretch
    }

    /// How many bytes of the stretch have come.
    var count: Int64 { state.withLock { $0.count } }

    /// The answer's head, once it is there.
    var head: ProviderAnswer.Head? { state.withLock { $0.head } }

    /// The answer of a server that refuses.
    var refusal: ProviderAnswer {
        state.withLock { state in
            let error = state.step == .noContent ? RequestError.Cause.NoFileContent() : nil
            return ProviderAnswer(head: state.head, body: state.refusal.content, error: error)
        }
    }
}

/// The body of an answer that is an error: the beginning of it, so that no server can fill the memory with one.
struct RefusalBody: Sendable {
    private(set) var content = Data()

    /// How many bytes are kept.
    static let limit = 1 << 20

    /// There is more than is kept: reason enough to end the transfer, which might never end by itself.
    struct Overflow: Error {}

    /// Throws ``Overflow`` once there is more than is kept.
    mutating func append(_ piece: Data) throws {
        let room = Self.limit - content.count
        content += piece.prefix(room)
        if piece.count > room { throw Overflow() }
    }
}
