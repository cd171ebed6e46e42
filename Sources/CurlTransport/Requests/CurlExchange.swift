#if os(Linux) || os(Android)
import Foundation
import Synchronization

/// One exchange, from its start to its completion, including all redirects.
///
/// Other threads may read its progress and cancel it. Only the engine's thread uses its other members.
final class CurlExchange: @unchecked Sendable {  // sound: after submission only the engine's thread changes it
    typealias Completion = @Sendable (Result<TransportResponse, TransportError>) -> Void

    let sent = Atomic<Int64>(0)
    let sentTotal = Atomic<Int64>(-1)
    let received = Atomic<Int64>(0)
    let receivedTotal = Atomic<Int64>(-1)
    let isCancelled = Atomic(false)
    let commands: CommandQueue

    let destination: ResponseDestination
    @exclusivity(unchecked) var state: State  // sound: its methods never call back into it
    @exclusivity(unchecked) var timers: ExchangeTimers  // likewise
    var metrics = ExchangeMetrics()
    var upload = Upload.none
    /// True if the exchange waits for the end of a body source before it sends the request, because the body is
    /// announced as empty.
    var awaitsEmptyBody = false
    /// True if libcurl does not read from the connection although it has more of the body to send.
    var hasStoppedReading = false
    /// True if libcurl has lost the response to the request over HTTP/2.
    var avoidsHTTP2 = false
    /// The inlet of the previous request's body. Its source may still be running.
    var stoppedInlet: BodyInlet?
    var outlet: BodyOutlet?

    /// The result of the exchange. It is set while the consumer receives the last bytes, and until the completion is
    /// called.
    var outcome: Result<TransportResponse, TransportError>?

    /// The error that arrived while the consumer was finishing. The exchange fails with it if the consumer fails.
    var lateOutcome: Result<TransportResponse, TransportError>?

    /// The handle of libcurl. Nil before the exchange begins, and after libcurl has done its work.
    var handle: EasyHandle?

    /// The index in the loop's list of live exchanges; nil before the start and after the end.
    var place: Int?

    /// The lane for the requests of the exchange.
    let laneKind: Lane.Kind

    /// A reference that keeps the engine running until the exchange has ended.
    private var engine: Engine?
    private var completion: Completion?

    /// The source of the body that libcurl reads.
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
        laneKind =
            request.obtainsCredential ? .credential : !isStreamed ? .load : request.asksForEvents ? .events : .stream
        let limits =
            request.idleTimeout == nil && !isStreamed
            ? engine.limits : .init(engine.options, idleTimeout: request.idleTimeout, isStreamed: isStreamed)
        timers = ExchangeTimers(limits: limits, now: .monotonicNow)
        state = State(request: request, options: engine.options)
    }

    /// Asks the engine to end the exchange. Any thread may call this method.
    func cancel() {
        if !isCancelled.exchange(true, ordering: .acquiringAndReleasing) {
            commands.submit(.cancel(self))
        }
    }

    /// Calls the completion with the outcome at the first call, and releases all objects that the exchange needed.
    /// First decodes a body in memory.
    func complete(budget: BodyBudget) {
        guard let completion, let engine, let result = outcome.take() else { return }
        let decoding = state.treatment.coding.map {
            BodyDecoding(coding: $0, limit: engine.options.bodyBytes, budget: budget)
        }
        self.completion = nil
        self.engine = nil
        outlet = nil
        lateOutcome = nil
        upload = .none
        stoppedInlet = nil
        state.release()
        guard let decoding, case .success(let response) = result, !response.body.isEmpty else {
            completion(result)
            return extendLifetime(engine)
        }
        decoding.decode(response, isCancelled: { [self] in isCancelled.load(ordering: .relaxed) }) {
            completion($0.keepingError(response))
            extendLifetime(engine)
        }
    }

    /// Returns true if the response in memory is delivered without its body, because it is an error, and nothing but
    /// its body is unusable. Its status and its fields may tell when the request can be sent again, or that a
    /// credential is needed.
    func mayLoseBody(because failure: TransportError) -> Bool {
        guard case .memory = destination, let head = state.head else { return false }
        return head.isError && failure.concernsBody
    }
}

extension ResponseHead {
    fileprivate var isError: Bool { status >= 400 }
}

extension TransportError {
    /// True if the head of the response has arrived, and its body cannot be decoded or is too large.
    fileprivate var concernsBody: Bool { kind == .undecodable || kind == .bodyTooLarge }
}

extension Result<TransportResponse, TransportError> {
    /// Returns the response without its body if it is an error whose body cannot be decoded.
    fileprivate func keepingError(_ response: TransportResponse) -> Self {
        guard case .failure(let error) = self, error.concernsBody, response.head.isError else { return self }
        var response = response
        response.body = Data()
        return .success(response)
    }
}

extension UInt64 {
    /// The current time, in nanoseconds of the monotonic clock.
    static var monotonicNow: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
#endif
