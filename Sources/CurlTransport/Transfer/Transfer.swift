#if os(Linux)
import Foundation
import Synchronization

/// One transfer, from the call that starts it to its completion, over all redirects.
///
/// Other threads read its progress and cancel it; everything else belongs to the engine's thread.
final class Transfer: @unchecked Sendable {  // sound: once submitted, what can change is the engine's thread's alone
    typealias Completion = @Sendable (Result<TransportResponse, TransportError>) -> Void

    let sent = Atomic<Int64>(0)
    let sentTotal = Atomic<Int64>(-1)
    let received = Atomic<Int64>(0)
    let receivedTotal = Atomic<Int64>(-1)
    let isCancelled = Atomic(false)
    let commands: CommandQueue

    let destination: ResponseDestination
    @exclusivity(unchecked) var state: State  // sound: its methods call nothing that could come back to it
    @exclusivity(unchecked) var timers: TransferTimers  // likewise
    var metrics = TransferMetrics()
    var upload = Upload.none
    /// Whether nothing is sent before the source of a body that is announced as empty has ended.
    var awaitsEmptyBody = false
    /// Whether libcurl does not read from the connection, although it has more of the body to send.
    var hasStoppedReading = false
    /// What read the body for the request before; its source may still be at work.
    var stoppedInlet: BodyInlet?
    var outlet: BodyOutlet?

    /// What the transfer ends with, while the consumer gets the last of it.
    var outcome: Result<TransportResponse, TransportError>?

    /// Why it was to end while the consumer was finishing: it does if the consumer fails.
    var lateOutcome: Result<TransportResponse, TransportError>?

    /// libcurl's part; nil before the transfer begins and while nothing is left for libcurl to do.
    var handle: EasyHandle?

    /// The place among the live transfers of the loop; nil before and after.
    var place: Int?

    /// Keeps the engine running until the transfer is over.
    private var engine: Engine?
    private var completion: Completion?

    /// Where the body that libcurl reads comes from.
    enum Upload {
        case none
        case data(Data, offset: Int)
        case inlet(BodyInlet)
    }

    init(
        _ request: TransportRequest, into destination: ResponseDestination, engine: Engine,
        completion: @escaping Completion
    ) {
        self.destination = destination
        self.engine = engine
        self.completion = completion
        commands = engine.commands
        let isStreamed = destination.isStreamed || request.body.isStreamed
        let limits =
            request.idleTimeout == nil && !isStreamed
            ? engine.limits : .init(engine.options, idleTimeout: request.idleTimeout, isStreamed: isStreamed)
        timers = TransferTimers(limits: limits, now: .monotonicNow)
        state = State(request: request, options: engine.options)
    }

    /// Asks the engine to end the transfer; on any thread.
    func cancel() {
        if !isCancelled.exchange(true, ordering: .acquiringAndReleasing) {
            commands.submit(.cancel(self))
        }
    }

    /// Calls the completion, the first time, and lets go of everything that it needed. A body in memory is decoded before
    /// that, by `decoding`.
    func complete(with result: Result<TransportResponse, TransportError>, decoding: BodyDecoding? = nil) {
        guard let completion, let engine else { return }
        self.completion = nil
        self.engine = nil
        outlet = nil
        outcome = nil
        lateOutcome = nil
        upload = .none
        stoppedInlet = nil
        state.release()
        guard let decoding, case .success(let response) = result, !response.body.isEmpty else {
            completion(result)
            return extendLifetime(engine)
        }
        decoding.decode(response, isCancelled: { [self] in isCancelled.load(ordering: .relaxed) }) {
            completion($0)
            extendLifetime(engine)
        }
    }
}

extension UInt64 {
    /// Nanoseconds of the monotonic clock.
    static var monotonicNow: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
#endif
