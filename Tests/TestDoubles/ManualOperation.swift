package import Foundation
package import SiestaCore
import SiestaTesting

/// The work of a custom request, which a test completes.
@MainActor
package final class ManualOperation: RequestDelegate {
    package var onStart: (any RequestCompletionHandler) -> Void = { _ in }
    /// True if `onStart` is called in the next turn of the main queue.
    package var isDeferred = false
    package var progress = 0.0
    package var progressReportingInterval: TimeInterval = 1
    package private(set) var handler: (any RequestCompletionHandler)?
    package private(set) var startCount = 0
    package private(set) var cancelCount = 0
    package private(set) var repetitions: [ManualOperation] = []

    package init(onStart: @escaping (any RequestCompletionHandler) -> Void = { _ in }) {
        self.onStart = onStart
    }

    package func startUnderlyingOperation(passingResponseTo completionHandler: any RequestCompletionHandler) {
        startCount += 1
        handler = completionHandler
        guard isDeferred else { return onStart(completionHandler) }
        Task {
            await mainQueueTurn()
            onStart(completionHandler)
        }
    }

    package func complete(with response: ResponseInfo) {
        handler?.broadcastResponse(response)
    }

    package func cancelUnderlyingOperation() {
        cancelCount += 1
    }

    package func repeated() -> any RequestDelegate {
        let repetition = ManualOperation(onStart: onStart)
        repetitions.append(repetition)
        return repetition
    }

    package func computeProgress() -> Double { progress }
    package var requestDescription: String { "manual operation" }
}

extension ResponseInfo {
    /// Returns a success with text.
    package static func text(_ text: String, isNew: Bool = true) -> ResponseInfo {
        ResponseInfo(response: .success(Entity(content: text, contentType: "text/plain")), isNew: isNew)
    }
}
