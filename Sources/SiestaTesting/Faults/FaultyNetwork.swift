public import SiestaCore

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// A network that adds faults to another network: delays, losses, damaged bodies, duplicated and reordered exchanges,
/// and bursts of server errors. A seed determines the faults.
///
///     let network = FaultyNetwork(stub, seed: 7, rates: .severe)
///     let service = clock.whileCurrent { Service(baseURL: "https://api.test", networking: network) }
///
/// A ``FaultPlan`` decides which faults occur. The ``log`` contains the decisions. All delays use the clock of the
/// service that was created last with this network.
///
/// With a ``TestClock`` and a ``StubNetwork``, the same seed always gives exactly the same run. To get this effect, the
/// test must wait with `settled()`, and advance the clock with ``TestClock/advance(by:settling:)`` or
/// ``TestClock/advanceUntilSettled(_:limit:)``. Each response is parsed on another thread, and the main thread waits
/// for the result for at most one second. Caches are read on their own queues. If two reads start at the same time,
/// their order can therefore differ.
///
/// Each request completes exactly once, even after a cancellation. If a request is cancelled while a fault delays it,
/// the request completes at once. If the other network can stream, this network can stream, too. A streamed response
/// can be delayed, lost or cut, but is neither duplicated nor reordered. A lost or cut stream ends with an error. In an
/// event stream, each piece can be delayed.
///
/// The other network keeps the cookies of the service as before. However, the other network does not receive the
/// instructions that the library gives only to its own networks. Therefore requests with HTTP Digest are sent without
/// credentials.
@MainActor
public final class FaultyNetwork: NetworkingProvider {
    /// The seed and the rates. A change applies to later requests.
    public var plan: FaultPlan

    /// A Boolean value that indicates whether later requests get faults. The default is true.
    public var isEnabled = true

    /// A closure that returns true for requests that may get faults. By default, all requests may get faults.
    public var filter: (URLRequest) -> Bool = { _ in true }

    /// The decisions so far, in the order of the requests. The log contains only requests for which ``isEnabled`` and
    /// ``filter`` permitted faults, and at most the last ``logLimit`` decisions.
    public private(set) var log: [LogEntry] = []

    /// The maximum number of entries in ``log``. The default is 10,000.
    public var logLimit = 10_000

    private let source: any NetworkingProviderConvertible
    private lazy var base = source.siestaNetworkingProvider
    private(set) var clock = SiestaClock.current
    let heldBack = HeldResponses()
    private var requestCount = 0
    /// The numbers of requests by their keys. All requests count, so that switching faults off and on does not change
    /// later decisions.
    private var occurrences: [UInt64: Int] = [:]

    /// Creates a network around another network.
    public init(_ base: any NetworkingProviderConvertible, plan: FaultPlan) {
        (source, self.plan) = (base, plan)
    }

    /// Creates a network around another network.
    public convenience init(_ base: any NetworkingProviderConvertible, seed: UInt64, rates: FaultRates = .mild) {
        self.init(base, plan: FaultPlan(seed: seed, rates: rates))
    }

    /// The frequencies of the faults; the same value as in ``plan``.
    public var rates: FaultRates {
        get { plan.rates }
        set { plan.rates = newValue }
    }

    /// The network for a service. A service reads this property when it is created, and the network then uses the
    /// service's clock.
    public var siestaNetworkingProvider: any NetworkingProvider {
        clock = .current
        clock.waitForWork()
        return faulty
    }

    private var faulty: InterceptedTransport { InterceptedTransport(base.transport, by: self) }

    /// Starts a request, and adds the faults that the ``plan`` decides for it.
    public func startRequest(
        _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        faulty.startRequest(request, completion: completion)
    }

    /// Counts the request. Returns its faults, and the delays of the pieces of an event stream by their numbers; nil if it
    /// may not get faults.
    func decide(
        _ request: URLRequest
    ) -> (decision: FaultDecision, delay: @Sendable (_ piece: Int) -> TimeInterval)? {
        let (method, url) = (request.httpMethod ?? "GET", request.url?.absoluteString ?? "")
        let key = FaultPlan.key(method: method, url: url)
        requestCount += 1
        occurrences[key, default: 0] += 1
        guard isEnabled, filter(request) else { return nil }
        let occurrence = occurrences[key, default: 1]
        let decision = plan.decision(for: key, occurrence: occurrence)
        log.append(
            LogEntry(
                number: requestCount, method: method, url: url, occurrence: occurrence, time: clock.monotonicTime,
                decision: decision))
        if log.count > max(0, logLimit) { log.removeFirst(log.count - max(0, logLimit)) }
        return (decision, { [plan] in plan.delay(ofPiece: $0, for: key, occurrence: occurrence) })
    }
}
