import Dispatch
public import Foundation
import Isolation
public import SiestaCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A provider that sends requests through another provider, and records the requests and responses for a HAR file (HTTP
/// Archive 1.2).
///
///     let recorder = HARRecorder(around: DefaultNetworking())
///     let service = Service(baseURL: "https://api.example.com", networking: recorder)
///     recorder.start()
///     _ = try await service.resource("/users/42").load().value
///     recorder.stop()
///     try await recorder.write(to: file)
///
/// The recorder has all capabilities of the other provider: it streams, keeps cookies and follows redirects in the same
/// way. While the recorder is not recording, it passes requests on without observing them.
///
/// Each entry of the recording contains a request as the service passed it to the provider, and the response that the
/// service received. Each retry has its own entry. Redirects that the provider follows have no entries.
///
/// By default, secrets are redacted in the file; see ``Redaction``. In memory, the recorder keeps the original requests
/// and responses.
@MainActor
public final class HARRecorder: nonisolated NetworkingProviderConvertible {
    /// The rules by which ``write(to:)`` removes secrets. Changed rules also apply to requests that have already been
    /// recorded.
    public var redaction: Redaction

    /// True between a call to ``start()`` and the next call to ``stop()``.
    public private(set) var isRecording = false

    private let source: any NetworkingProviderConvertible
    /// Made for the first service, because a network may keep the clock that is current then.
    private lazy var base = source.siestaNetworkingProvider
    private let bodies: Bodies
    private let exchanges: Locked<RecordedExchanges>
    /// The handles of exchanges whose metrics were not read yet.
    private var handles: [Int: any RequestNetworking] = [:]

    /// Creates a recorder around another provider.
    ///
    /// If a limit is exceeded, the oldest entries are dropped; see ``droppedEntryCount``.
    ///
    /// - Parameters:
    ///   - networking: The provider, `URLSession` or `URLSessionConfiguration` that sends the requests.
    ///   - redaction: The rules by which secrets are removed.
    ///   - bodies: The form in which bodies are recorded. By default, up to 1 MB of each body is recorded.
    ///   - maximumEntryCount: The maximum number of entries; 1000 by default.
    ///   - maximumSize: The approximate maximum size of the recording in memory, in bytes; 64 MB by default.
    public init(
        around networking: any NetworkingProviderConvertible = DefaultNetworking(), redaction: Redaction = .standard,
        bodies: Bodies = .inline(limit: 1 << 20), maximumEntryCount: Int = 1000, maximumSize: Int = 64 << 20
    ) {
        (source, self.redaction, self.bodies) = (networking, redaction, bodies)
        exchanges = Locked(
            RecordedExchanges(maximumCount: maximumEntryCount, maximumCost: maximumSize, bodyLimit: bodies.limit))
    }

    /// Begins a new recording, and removes the entries of the previous recording. Requests that are in progress are not
    /// recorded.
    public func start() {
        _ = exchanges.withLock { $0.removeAll() }
        handles = [:]
        (isRecording, hasRecorded) = (true, true)
    }

    /// Ends the recording, and keeps its entries. Requests that are in progress are still recorded when they end.
    public func stop() {
        isRecording = false
    }

    /// The number of entries that were dropped because of the limits since the recording began.
    public var droppedEntryCount: Int { exchanges.withLock { $0.droppedCount } }

    /// The recording so far, without requests that are in progress. However, it contains event streams that are open, with the
    /// events up to now. Takes time proportional to the size of all bodies.
    package var archive: HARArchive {
        let (maker, shown) = recorded
        return maker.archive(of: shown)
    }

    /// True after the first ``start()``.
    package private(set) var hasRecorded = false

    /// The content of the file that ``write(to:)`` would write. It is made on another thread.
    package var file: Data {
        get async throws {
            let (maker, shown) = recorded
            return try await Self.file(of: shown, maker)
        }
    }

    @concurrent
    private nonisolated static func file(of shown: [RecordedExchange], _ maker: HARMaker) async throws -> Data {
        try maker.archive(of: shown).data
    }

    /// Writes the recording to a file that only the system account of this process can read. An existing file is
    /// replaced completely or, if an error occurs, not at all.
    ///
    /// - Throws: A file system error that names the file.
    public func write(to file: URL) async throws {
        let (maker, shown) = recorded
        try await Self.write(shown, maker, file)
    }

    @concurrent
    private nonisolated static func write(_ shown: [RecordedExchange], _ maker: HARMaker, _ file: URL) async throws {
        try maker.archive(of: shown).write(to: file)
    }

    private var recorded: (maker: HARMaker, shown: [RecordedExchange]) {
        for number in handles.keys { settle(number) }
        let (shown, droppedCount) = exchanges.withLock { ($0.shown, $0.droppedCount) }
        return (HARMaker(redactor: HARRedactor(redaction), bodies: bodies, droppedCount: droppedCount), shown)
    }

    // MARK: Networking

    /// The provider for a service. It has the capabilities of the provider that sends the requests. For recorded times,
    /// it uses the clock that is current when this property is read.
    public var siestaNetworkingProvider: any NetworkingProvider {
        let clock = SiestaClock.current
        return base.observed { self.observer(of: $0, clock: clock) }
    }

    private func observer(of request: URLRequest, clock: SiestaClock) -> (any ExchangeObserver)? {
        guard isRecording else { return nil }
        let exchange = RecordedExchange(request, clock: clock, bodyLimit: bodies.limit)
        // Dropped exchanges are released outside the lock, because the release of an error may run any code.
        let (number, _) = exchanges.withLock { $0.add(exchange) }
        return Observer(number: number, exchanges: exchanges, clock: clock, recorder: self)
    }

    /// Reads the metrics of an exchange that is over.
    private func settle(_ number: Int) {
        guard exchanges.withLock({ $0.isOver(number) }), let handle = handles.removeValue(forKey: number) else {
            return
        }
        let metrics = handle.requestMetrics
        exchanges.withLock { $0.setMetrics(metrics, of: number) }
    }

    /// Records the events of one exchange, on any thread.
    private struct Observer: ExchangeObserver {
        let number: Int
        let exchanges: Locked<RecordedExchanges>
        let clock: SiestaClock
        let recorder: HARRecorder

        func receive(_ event: ExchangeEvent) {
            let time = clock.monotonicTime
            _ = exchanges.withLock { $0.receive(event, of: number, at: time) }
            guard case .ended = event else { return }
            DispatchQueue.main.async { MainActor.assumeIsolated { recorder.settle(number) } }
        }

        func started(_ networking: any RequestNetworking) {
            recorder.handles[number] = networking
        }
    }
}
