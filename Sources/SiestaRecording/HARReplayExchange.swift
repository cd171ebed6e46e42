import Foundation
import SiestaCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request that a replay has in progress.
@MainActor
final class HARReplayExchange: TimedNetworking {
    private var completion: RequestNetworkingCompletionCallback?
    private let receiver: (any ResponseReceiver)?
    /// Reads the body of the request, or passes the body of the response to the receiver. It completes the request
    /// itself.
    private var task: Task<Void, Never>?
    /// True while the recorded time passes.
    private(set) var isWaitingForTimer = false
    private(set) var transferMetrics = RequestTransferMetrics(
        requestBytesSent: 0, requestBytesTotal: nil, responseBytesReceived: 0, responseBytesTotal: nil)

    init(receiver: (any ResponseReceiver)?, _ completion: @escaping RequestNetworkingCompletionCallback) {
        (self.receiver, self.completion) = (receiver, completion)
    }

    /// Reads a body, and passes its content to `next`. Passes nil if the body has more than 16 MB.
    func read(_ body: any StreamedBody, _ next: @escaping @MainActor (Data?) -> Void) {
        transferMetrics.requestBytesTotal = body.length
        task = Task {
            do {
                let reader = try body.makeReader()
                var content: Data? = Data()
                while let piece = try await reader.next() {
                    try Task.checkCancellation()
                    transferMetrics.requestBytesSent += Int64(piece.count)
                    if let count = content?.count, count + piece.count <= 16 << 20 {
                        content?.append(piece)  // In place: there may be many pieces.
                    } else {
                        content = nil
                    }
                }
                try Task.checkCancellation()
                task = nil
                next(content)
            } catch {
                end(nil, nil, Task.isCancelled ? URLError(.cancelled) : error)
            }
        }
    }

    /// Completes the request after a delay, unless it is cancelled before.
    func complete(_ answer: HARReplayAnswer, after delay: TimeInterval, _ clock: SiestaClock) {
        isWaitingForTimer = true
        clock.schedule(after: delay) {
            self.isWaitingForTimer = false
            self.complete(answer)
        }
    }

    /// Completes the request, unless it was cancelled before.
    func complete(_ answer: HARReplayAnswer) {
        guard completion != nil else { return }
        switch answer {
        case .failure(let error): end(nil, nil, error)
        case .response(let response, let body):
            guard let receiver else {
                received(body)
                return end(response, body, nil)
            }
            pass(response, body, to: receiver) { $0.end(response, nil, nil) }
        case .stream(let response, let body, let error):
            guard let receiver else { return endStream(error) }
            pass(response, body, to: receiver) { $0.endStream(error) }
        }
    }

    /// Ends an event stream with an error. Without one, the stream stays open until it is cancelled.
    private func endStream(_ error: URLError?) {
        if let error { end(nil, nil, error) } else { task = nil }
    }

    func cancel() {
        guard let task else { return end(nil, nil, URLError(.cancelled)) }
        task.cancel()
    }

    private func pass(
        _ response: HTTPURLResponse, _ body: Data, to receiver: any ResponseReceiver,
        _ end: @escaping @MainActor (HARReplayExchange) -> Void
    ) {
        task = Task {
            do {
                try await receiver.begin(response)
                try Task.checkCancellation()
                if !body.isEmpty { try await receiver.receive(body) }
                try Task.checkCancellation()
                received(body)
                end(self)
            } catch {
                self.end(nil, nil, Task.isCancelled ? URLError(.cancelled) : error)
            }
        }
    }

    private func received(_ body: Data) {
        transferMetrics.responseBytesReceived = Int64(body.count)
        transferMetrics.responseBytesTotal = Int64(body.count)
    }

    private func end(_ response: HTTPURLResponse?, _ body: Data?, _ error: (any Error)?) {
        (task, isWaitingForTimer) = (nil, false)
        completion.take()?(response, body, error)
    }
}
