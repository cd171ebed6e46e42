import SiestaCore

/// The work of ``PendingChange/request``: the changes of the service send the change.
@MainActor
final class ChangeDelegate: LibraryRequestDelegate {
    /// The change; nil after its end.
    weak var change: PendingChange?
    /// The request that is running; nil if there is none.
    var sent: (any Request)?
    private var handler: (any RequestCompletionHandler)?
    /// Makes the same change again, and starts it with a function.
    private let makeAgain: ((PendingChange) -> Void) -> PendingChange
    var startAgain: (PendingChange) -> Void = { $0.start() }
    /// Gives a change that is made again what this one had besides its request.
    var prepareAgain: (PendingChange) -> Void = { _ in }

    init(again: @escaping ((PendingChange) -> Void) -> PendingChange) {
        makeAgain = again
    }

    func startUnderlyingOperation(passingResponseTo completionHandler: any RequestCompletionHandler) {
        handler = completionHandler
    }

    /// Returns false if the change is a part of the data already. Its observers are told before the request completes.
    func cancelEffect(ifUnwanted: Bool) -> Bool { change?.state != .succeeded }

    func cancelUnderlyingOperation() {
        handler = nil
        if let change { change.resource.context.changes?.cancel(change) }
    }

    /// Completes the request of the change.
    func complete(_ info: ResponseInfo) {
        handler.take()?.broadcastResponse(info)
    }

    func repeated() -> any RequestDelegate {
        RepeatedChange { [makeAgain, prepareAgain, startAgain] in
            makeAgain { again in
                again.delegate.prepareAgain = prepareAgain
                prepareAgain(again)
                startAgain(again)
            }
        }
    }

    func computeProgress() -> Double { sent?.progress ?? 0 }

    var requestDescription: String {
        change.map { "Change by \($0.method.rawValue.uppercased()) of \(PreparedText.url($0.resource.address))" }
            ?? "Change"
    }
}

/// The work of a request that makes a change again when it starts.
@MainActor
private final class RepeatedChange: LibraryRequestDelegate {
    private let make: () -> PendingChange
    private var change: PendingChange?
    private var isCancelled = false

    init(make: @escaping () -> PendingChange) {
        self.make = make
    }

    func startUnderlyingOperation(passingResponseTo completionHandler: any RequestCompletionHandler) {
        let new = make()
        guard !isCancelled else { return new.cancel() }  // Cancelled by code of the app while it was made.
        change = new
        new.request.onCompletion { [self] info in
            change = nil
            completionHandler.broadcastResponse(info)
        }
    }

    func cancelEffect(ifUnwanted: Bool) -> Bool { change?.state != .succeeded }

    func cancelUnderlyingOperation() {
        isCancelled = true
        change.take()?.cancel()
    }

    func repeated() -> any RequestDelegate { RepeatedChange(make: make) }

    func computeProgress() -> Double { change?.request.progress ?? 0 }
}
