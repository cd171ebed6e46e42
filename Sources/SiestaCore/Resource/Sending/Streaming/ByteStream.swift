import Foundation
import Isolation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Passes one response from the network to one consumer in pieces. The stream accepts the next piece from the network
/// only after the consumer has taken the previous piece.
final class ByteStream: ResponseReceiver {
    private let state = Locked(State())
    private let onAbandon: @Sendable () -> Void

    private struct State {
        var head: NetworkResponse.Head?
        var forms: RequestedForms?
        var onBegin: (@Sendable (NetworkResponse.Head) -> Void)?
        var piece: Data?
        var refusal = RefusalBody()
        var outcome: Result<Void, RequestError>?
        var isAbandoned = false
        /// True if a piece of the response was passed to the consumer, or waits for it.
        var hasPassedPiece = false
        /// The number of parts of the response that have arrived: the head of a success, and pieces.
        var arrivalCount = 0
        /// True if the consumer has asked for the head of the response.
        var asksForHead = false
        /// The network's task, while it waits for the consumer; and the consumer's task, while it waits for a piece.
        var producer = Waiters()
        var consumer = Waiters()

        /// True if the head of a success has arrived.
        var hasBegun: Bool { head?.isRefusal == false && unrequested == nil }

        /// The error if the response has a form that the request did not ask for.
        var unrequested: RequestError.Failure? {
            forms.flatMap { head?.refusal(unlessAmong: $0) }
        }
    }

    /// Creates a stream. `onAbandon` is called when the consumer needs no further pieces.
    init(onAbandon: @escaping @Sendable () -> Void) {
        self.onAbandon = onAbandon
    }

    // MARK: The network's side

    /// Prepares for the response to a request that is about to be sent. `onBegin` is called when the head of a success has
    /// arrived.
    func expectResponse(to request: URLRequest, onBegin: @escaping @Sendable (NetworkResponse.Head) -> Void) {
        let forms = RequestedForms(request)
        let old = state.withLock { state in
            state.forms = forms
            return exchange(&state.onBegin, with: onBegin)
        }
        extendLifetime(old)
    }

    func begin(_ response: HTTPURLResponse) async throws {
        let head = NetworkResponse.Head(response, url: response.url)
        let (consumer, isUnrequested, onBegin) = state.withLock { state in
            state.head = head
            if state.hasBegun { state.arrivalCount += 1 }
            return (state.consumer.take(), state.unrequested != nil, state.hasBegun ? state.onBegin : nil)
        }
        if !isUnrequested { onBegin?(head) }
        consumer.resume()
        // The body is not needed, and might never end.
        if isUnrequested { throw RefusalBody.Overflow() }
    }

    func receive(_ piece: Data) async throws {
        let consumer = try state.withLock { state in
            guard !state.isAbandoned else { throw CancellationError() }
            guard state.hasBegun else {
                try state.refusal.append(piece)
                return Waiters()
            }
            (state.piece, state.hasPassedPiece) = (piece, true)
            state.arrivalCount += 1
            return state.consumer.take()
        }
        consumer.resume()
        await state.wait(in: \.producer) { $0.piece == nil || $0.isAbandoned }
    }

    /// Returns the server's error response, or the error because of which there is no response. Returns nil after a
    /// successful response.
    func refusal(_ error: (any Error)?) -> NetworkResponse? {
        state.withLock { state in
            if let error, !(error is RefusalBody.Overflow) {
                guard let head = state.head, head.isRefusal, RefusalBody.isUndecodable(error) else {
                    return NetworkResponse(error: error)
                }
                return NetworkResponse(head: head, body: Data())
            }
            let unrequested = state.unrequested
            guard let head = state.head, head.isRefusal || unrequested != nil else { return nil }
            return NetworkResponse(head: head, body: state.refusal.content, error: unrequested)
        }
    }

    /// The head of the response; nil before it has arrived.
    var head: NetworkResponse.Head? { state.withLock { $0.head } }

    /// The number of parts of the response that have arrived: the head of a success, and pieces.
    var arrivalCount: Int { state.withLock { $0.arrivalCount } }

    /// True if the head of a success has arrived.
    var hasBegun: Bool { state.withLock { $0.hasBegun } }

    /// True if the consumer knows a part of the response, or a part waits for it: a piece, or the head if it has asked for
    /// it. Then no other response may take the place of this one.
    var hasPassedPart: Bool {
        state.withLock { $0.hasPassedPiece || $0.asksForHead && $0.hasBegun }
    }

    /// Forgets a refusal, because the request is sent again.
    func restart() {
        let old = state.withLock { state in
            (exchange(&state.head, with: nil), exchange(&state.refusal, with: RefusalBody()))
        }
        extendLifetime(old)
    }

    /// Ends the response. Only the first call has an effect.
    func end(_ outcome: Result<Void, RequestError>) {
        let consumer = state.withLock { state in
            if state.outcome == nil { state.outcome = outcome }
            return state.consumer.take()
        }
        consumer.resume()
    }

    // MARK: The consumer's side

    /// Ends the stream because the consumer needs no further pieces. Drops a waiting piece, and resumes waiting tasks.
    func abandon() {
        // The error is created, and an old error is released, outside the lock, because both may run code of the app.
        let cancellation = Result<Void, RequestError>.failure(.cancelled())
        let (waiting, _, _) = state.withLock { state in
            state.isAbandoned = true
            let isCutShort = state.outcome == nil || state.piece != nil
            let outcome = isCutShort ? exchange(&state.outcome, with: cancellation) : nil
            return ([state.producer.take(), state.consumer.take()], outcome, state.piece.take())
        }
        for waiters in waiting { waiters.resume() }
        onAbandon()
    }

    /// True if a piece waits for the consumer.
    var hasPiece: Bool { state.withLock { $0.piece != nil } }

    /// Waits for the head of a response that is not a refusal, or for the end.
    func headArrives() async {
        if Task.isCancelled { abandon() }
        state.withLock { $0.asksForHead = true }
        await withTaskCancellationHandler {
            await state.wait(in: \.consumer) { $0.hasBegun || $0.outcome != nil }
        } onCancel: {
            abandon()
        }
    }

    /// Waits for the next piece. Returns nil at the end of the response, and after an error was thrown.
    func next() async throws(RequestError) -> Data? {
        // If the network is faster than a loop on the main actor, the loop never waits. Other work must run nevertheless.
        if hasPiece { await Task.yield() }
        while true {
            // Checked here because a piece may always be available, and then the task never waits.
            if Task.isCancelled { abandon() }
            if let step = take() { return try step.get() }
            await withTaskCancellationHandler {
                await state.wait(in: \.consumer) { $0.piece != nil || $0.outcome != nil }
            } onCancel: {
                abandon()
            }
        }
    }

    /// Returns the next piece or the end of the response; nil if the stream must wait.
    private func take() -> Result<Data?, RequestError>? {
        let (step, producer) = state.withLock {
            state -> (Result<Data?, RequestError>?, Waiters) in
            if let piece = state.piece.take() { return (.success(piece), state.producer.take()) }
            guard let outcome = state.outcome else { return (nil, Waiters()) }
            state.outcome = .success(())
            return (outcome.map { nil }, Waiters())
        }
        producer.resume()
        return step
    }
}

extension NetworkResponse.Head {
    /// True if the response is an error response, whose body is not the requested content.
    fileprivate var isRefusal: Bool { !(200..<300).contains(status) }
}

/// Decides whether a loop may receive content that has arrived together with other content.
package struct DeliveryPermit: Sendable {
    private let resource: Resource
    /// The wipe count at the last check; nil before the first one.
    private var made: WipeCount?
    private var count = 0

    package init(_ resource: Resource) { self.resource = resource }

    /// Returns true if, since the last check, the task was cancelled, the resource was wiped with its caches, or another
    /// user has signed in. Call this method before each element, and before the request is sent.
    package mutating func isOver() async -> Bool {
        count += 1
        // A server may send very many elements at once, while the loop runs on the main actor.
        if count.isMultiple(of: 500) { await Task.yield() }
        let now = WipeCount.now
        let last = exchange(&made, with: now)
        if Task.isCancelled { return true }
        guard let last, last != now else { return false }
        return await resource.isOutdated(last)
    }

    /// Throws a cancellation error if ``isOver()`` returns true.
    package mutating func check() async throws(RequestError) {
        if await isOver() { throw RequestError.cancelled() }
    }
}
