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
/// The faults of a request depend only on the seed, on the ``rates``, on the method and the URL of the request, and on
/// the number of earlier requests with the same method and URL. They do not depend on other requests, on the fragment
/// of the URL, or on the port of a loopback address. The ``log`` contains the faults. All delays use the clock of the
/// last service that was created with this network.
///
/// With a ``TestClock`` and a ``StubNetwork``, all runs of a test with the same seed are identical, if the test waits
/// with `settled()`, and advances the clock with ``TestClock/advance(by:settling:)`` or
/// ``TestClock/advanceUntilSettled(_:limit:)``. Runs can still differ if parsing a response takes more than one second,
/// because the main thread does not wait longer for the thread that parses. They can also differ if the reads of two
/// caches start at the same time, because each cache is read on its own queue.
///
/// Each request completes exactly once, even after a cancellation. If a request is cancelled while a fault delays it,
/// the request completes at once. If the other network can stream, this network can stream, too. A streamed response
/// can be delayed, lost or cut off, and can have a wrong `Content-Length`, but is neither duplicated nor reordered. If
/// it is lost or cut off, it ends with an error. In an event stream, each piece can be delayed.
///
/// The other network still keeps the cookies of the service. HTTP Digest does not work, because only the library's own
/// networks support it. Requests that would need it are sent without credentials.
@MainActor
public final class FaultyNetwork: NetworkingProviderConvertible {
    /// The seed and the rates. A change applies to later requests.
    package var plan: FaultPlan

    /// A Boolean value that indicates whether later requests get faults. The default is true.
    public var isEnabled = true

    /// A closure that returns true for requests that may get faults. By default, all requests may get faults.
    public var filter: (URLRequest) -> Bool = { _ in true }

    /// The requests so far with their faults, one line each, such as `3 GET https://api.test/users (1): request lost
    /// (timedOut)`. The lines contain no secrets. The number in parentheses counts the requests with this method and URL.
    ///
    /// The log contains only the last ``logLimit`` requests that could get faults according to ``isEnabled`` and
    /// ``filter``.
    public var log: [String] { entries.map(\.description) }

    package private(set) var entries: [LogEntry] = []

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

    /// Creates a network that adds faults to another network.
    public init(_ base: any NetworkingProviderConvertible, seed: UInt64, rates: FaultRates = .mild) {
        (source, plan) = (base, FaultPlan(seed: seed, rates: rates))
    }

    /// The frequencies of the faults. A change applies to later requests.
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
        entries.append(
            LogEntry(
                number: requestCount, method: method, url: url, occurrence: occurrence, time: clock.monotonicTime,
                decision: decision))
        if entries.count > max(0, logLimit) { entries.removeFirst(entries.count - max(0, logLimit)) }
        return (decision, { [plan] in plan.delay(ofPiece: $0, for: key, occurrence: occurrence) })
    }
}
