import Foundation
import Isolation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Writes one response to a download into its file, or keeps the body of an error response.
final class DownloadReceiver: ResponseReceiver {
    private let file: PartialFile
    private let point: ResumePoint?
    private let state = Locked(State())

    private struct State {
        var step: DownloadStep?
        var head: NetworkResponse.Head?
        var refusal = RefusalBody()
        var count: Int64 = 0
    }

    init(_ file: PartialFile, asked point: ResumePoint?) {
        self.file = file
        self.point = point
    }

    func begin(_ response: HTTPURLResponse) async throws {
        let head = NetworkResponse.Head(response, url: response.url)
        let step = DownloadStep.after(status: head.status, head.fields, from: response.url, asked: point)
        state.withLock { ($0.step, $0.head) = (step, head) }
        switch step {
        case .write(let section): try await file.begin(section)
        case .startOver: throw CancellationError()
        case .contradictory: throw RequestError.Cause.UnrequestedResponse(statusCode: head.status)
        case .refused, .noContent: break
        }
    }

    func receive(_ piece: Data) async throws {
        guard let section else { return try state.withLock { try $0.refusal.append(piece) } }
        let count = state.withLock { state in
            state.count += Int64(piece.count)
            return state.count
        }
        guard count <= section.length ?? .max else { throw URLError(.badServerResponse) }
        try await file.write(piece)
    }

    /// True if the response does not match the existing bytes. Then the whole file must be requested.
    var isUseless: Bool { state.withLock { $0.step == .startOver } }

    /// The section of the file that the response contains; nil if the response is not a part of the file.
    var section: DownloadStep.Section? {
        guard case .write(let section) = state.withLock({ $0.step }) else { return nil }
        return section
    }

    /// The number of received bytes of the section.
    var count: Int64 { state.withLock { $0.count } }

    /// The head of the response; nil before it has arrived.
    var head: NetworkResponse.Head? { state.withLock { $0.head } }

    /// Returns the error that ends the download; nil if there is none, or if the response is an error response, whose
    /// head is usable.
    func failure(_ error: (any Error)?) -> (any Error)? {
        guard let error, !(error is RefusalBody.Overflow) else { return nil }
        return state.withLock { state in
            guard state.step == .refused, RefusalBody.isUndecodable(error) else { return error }
            state.refusal.drop()
            return nil
        }
    }

    /// True if the response does not answer the request.
    var isContradictory: Bool { state.withLock { $0.step == .contradictory } }

    /// The error response, the response without content, or the response that does not answer the request.
    var refusal: NetworkResponse {
        state.withLock { state in
            let error: (any Error)? =
                switch state.step {
                case .noContent: RequestError.Cause.NoFileContent()
                case .contradictory: RequestError.Cause.UnrequestedResponse(statusCode: state.head?.status ?? 0)
                default: nil
                }
            return NetworkResponse(head: state.head, body: state.refusal.content, error: error)
        }
    }
}

/// The body of an error response. Keeps only the beginning of the body, so that a server cannot fill the memory.
struct RefusalBody: Sendable {
    private(set) var content = Data()

    /// The maximum number of bytes that are kept: 1 MB.
    static let limit = 1 << 20

    /// The error if the body is longer than the limit. The transfer is ended, because it might never end by itself.
    struct Overflow: Error {}

    /// Returns true if an error means that the body cannot be decoded, so that only the head of the response is usable.
    static func isUndecodable(_ error: any Error) -> Bool {
        let code = (error as? URLError)?.code
        return code == .cannotDecodeContentData || code == .cannotDecodeRawData || code == .dataLengthExceedsMaximum
    }

    /// Removes the body.
    mutating func drop() { content = Data() }

    /// Appends a piece of the body. Throws ``Overflow`` if the body is longer than the limit.
    mutating func append(_ piece: Data) throws {
        let room = Self.limit - content.count
        content += piece.prefix(room)
        if piece.count > room { throw Overflow() }
    }
}
