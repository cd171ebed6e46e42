import Foundation
import Siesta
import SiestaTesting

/// The work of a custom request, which a test completes.
@MainActor
final class ManualOperation: RequestDelegate {
    var onStart: (any RequestCompletionHandler) -> Void = { _ in }
    /// True if `onStart` is called in the next turn of the main queue.
    var isDeferred = false
    var progress = 0.0
    var progressReportingInterval: TimeInterval = 1
    private(set) var handler: (any RequestCompletionHandler)?
    private(set) var startCount = 0
    private(set) var cancelCount = 0
    private(set) var repetitions: [ManualOperation] = []

    init(onStart: @escaping (any RequestCompletionHandler) -> Void = { _ in }) {
        self.onStart = onStart
    }

    func startUnderlyingOperation(passingResponseTo completionHandler: any RequestCompletionHandler) {
        startCount += 1
        handler = completionHandler
        guard isDeferred else { return onStart(completionHandler) }
        Task {
            await mainQueueTurn()
            onStart(completionHandler)
        }
    }

    func complete(with response: ResponseInfo) {
        handler?.broadcastResponse(response)
    }

    func cancelUnderlyingOperation() {
        cancelCount += 1
    }

    func repeated() -> any RequestDelegate {
        let repetition = ManualOperation(onStart: onStart)
        repetitions.append(repetition)
        return repetition
    }

    func computeProgress() -> Double { progress }
    var requestDescription: String { "manual operation" }
}

extension ResponseInfo {
    /// Returns a success with text.
    static func text(_ text: String, isNew: Bool = true) -> ResponseInfo {
        ResponseInfo(response: .success(Entity(content: text, contentType: "text/plain")), isNew: isNew)
    }
}
