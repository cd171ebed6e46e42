import Foundation
import HTTPRules
import SiestaCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Passes a response on, and reports when a success begins. The end may be hours later.
final class PacedReceiver: ResponseReceiver {
    private let receiver: any ResponseReceiver
    private let onSuccess: @MainActor @Sendable (PacedReceiver, _ isEndless: Bool) -> Void

    /// - Parameter onSuccess: Is called on the main actor when a response with a status from 200 to 299 begins.
    ///   `isEndless` is true for a stream of events, which may never end.
    init(
        _ receiver: any ResponseReceiver,
        onSuccess: @escaping @MainActor @Sendable (PacedReceiver, _ isEndless: Bool) -> Void
    ) {
        (self.receiver, self.onSuccess) = (receiver, onSuccess)
    }

    func begin(_ response: HTTPURLResponse) async throws {
        try await receiver.begin(response)
        let head = NetworkResponse.Head(response)
        guard 200..<300 ~= head.status else { return }
        let isEndless = MediaType.essence(of: head.fields.contentType ?? "") == "text/event-stream"
        MainQueue.async { self.onSuccess(self, isEndless) }
    }

    func receive(_ piece: Data) async throws { try await receiver.receive(piece) }
}
