import Foundation
import Isolation
import SiestaCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Writes one response to a download into its file, or keeps the body of an error response.
final class DownloadReceiver: ResponseReceiver {
    private let file: PartialFile
    private let point: ResumePoint?
    private let state = Locked(State())

    fileprivate struct State {
        var onBegin: (@Sendable (NetworkResponse.Head) -> Void)?
        var step: DownloadStep?
        var head: NetworkResponse.Head?
        var refusal = RefusalBody()
        var count: Int64 = 0
    }

    init(_ file: PartialFile, asked point: ResumePoint?) {
        self.file = file
        self.point = point
    }

    /// Sets the function that is called when the head of a response with a part of the file has arrived.
    func onBegin(_ function: @escaping @Sendable (NetworkResponse.Head) -> Void) {
        state.withLock { $0.onBegin = function }
    }

    func begin(_ response: HTTPURLResponse) async throws {
        let head = NetworkResponse.Head(response, url: response.url)
        let step = DownloadStep.after(status: head.status, head.fields, from: response.url, asked: point)
        let onBegin = state.withLock { state in
            (state.step, state.head) = (step, head)
            return state.onBegin
        }
        switch step {
        case .write(let section):
            onBegin?(head)
            try await file.begin(section)
        case .startOver: throw CancellationError()
        case .contradictory: throw RequestError.Failure.unrequestedResponse(head.status)
        case .refused, .noContent: break
        }
    }

    func receive(_ piece: Data) async throws {
        guard let section else { return try state.withLock { try $0.refusal.append(piece) } }
        let count = count + Int64(piece.count)
        guard count <= section.length ?? .max else { throw URLError(.badServerResponse) }
        try await file.write(piece)
        state.withLock { $0.count = count }  // Only what is in the file counts, because a retry resumes there.
    }

    /// The section of the file that the response contains; nil if the response is not a part of the file.
    var section: DownloadStep.Section? {
        guard case .write(let section) = state.withLock({ $0.step }) else { return nil }
        return section
    }

    /// The number of received bytes of the section.
    var count: Int64 { state.withLock { $0.count } }

    /// What follows an attempt.
    enum Step {
        /// The file is complete.
        case complete(NetworkResponse.Head)
        /// Another request follows, from this point, or for the whole file.
        case again(from: ResumePoint?)
        /// The attempt has failed with this response, or without one.
        case fail(NetworkResponse)
    }

    /// Returns the response that was received, or the error because of which there is none. `error` is the error with which
    /// the transport has ended the attempt; nil if there is none.
    func outcome(_ error: (any Error)?) -> NetworkResponse {
        state.withLock { state in
            if let error = state.failure(error) { return NetworkResponse(error: error) }
            switch state.step {
            case nil: return NetworkResponse(error: URLError(.badServerResponse))
            case .noContent: return state.response(RequestError.Failure(.noFileContent))
            case .contradictory:
                return state.response(RequestError.Failure.unrequestedResponse(state.head?.status ?? 0))
            case .write, .startOver, .refused: return state.response(nil)
            }
        }
    }

    /// Returns what follows an attempt with this outcome.
    func step(after outcome: NetworkResponse, _ budget: inout DownloadBudget) -> Step {
        let (step, count) = state.withLock { ($0.step, $0.count) }
        if case .startOver = step { return .again(from: nil) }
        guard outcome.error == nil, case .write(let section) = step, let head = outcome.head else {
            return .fail(outcome)
        }
        guard let isComplete = section.completes(with: count) else {
            return .fail(NetworkResponse(error: URLError(.networkConnectionLost)))
        }
        guard !isComplete, let validator = section.validator else { return .complete(head) }
        guard budget.allowsStep(after: count) else {
            let error = RequestError.Failure(.tooManyPartialResponses, reason: "\(budget.steps) responses")
            return .fail(NetworkResponse(error: error))
        }
        return .again(
            from: ResumePoint(offset: section.offset + count, validator: validator, total: section.total))
    }
}

extension DownloadReceiver.State {
    /// Returns the error that ends the download; nil if there is none, or if the response is an error response, whose
    /// head is usable.
    fileprivate mutating func failure(_ error: (any Error)?) -> (any Error)? {
        guard let error, !(error is RefusalBody.Overflow) else { return nil }
        switch step {
        case .startOver, .contradictory: return nil  // The receiver has ended the attempt itself.
        case .refused where RefusalBody.isUndecodable(error):
            refusal.drop()
            return nil
        default: return error
        }
    }

    fileprivate func response(_ error: (any Error)?) -> NetworkResponse {
        NetworkResponse(head: head, body: refusal.content, error: error)
    }
}
