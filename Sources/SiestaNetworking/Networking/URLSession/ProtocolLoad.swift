#if os(Linux) || os(Android)
import Foundation
import FoundationNetworking
import Isolation

/// A request that a `URLProtocol` class of the app carries out without a task of a session.
///
/// On Linux, a session ends the process if a protocol calls its client after `stopLoading()`, or reports its end twice.
/// Here, such calls have no effect, on any thread. The protocol's `task` is nil; otherwise the protocol works as in a
/// session.
struct ProtocolLoad: Sendable {
    private let client: Client
    /// The protocol; nil after it was told to stop.
    private let instance = QueueIsolated<URLProtocol?>(label: "Siesta.ProtocolLoad") { nil }

    /// Starts the load. `exchange` receives its events on `reports`, one after another.
    init(
        of request: URLRequest, by type: URLProtocol.Type, for exchange: SessionExchange,
        reportingOn reports: OperationQueue
    ) {
        let client = Client(exchange, reports)
        self.client = client
        instance.schedule { instance in
            instance = type.init(request: request, cachedResponse: nil, client: client)
            instance?.startLoading()
        }
    }

    /// Tells the protocol to stop, unless the protocol has reported its end. Any thread may call this method.
    func stop() {
        guard client.close() else { return }
        instance.schedule { $0.take()?.stopLoading() }
    }
}

/// Passes the protocol's events on, up to the first end.
private final class Client: NSObject, URLProtocolClient, Sendable {
    private let exchange: Locked<SessionExchange?>
    private let reports: OperationQueue

    init(_ exchange: SessionExchange, _ reports: OperationQueue) {
        self.exchange = Locked(exchange)
        self.reports = reports
    }

    /// Stops passing events on. Returns false if it has already stopped.
    func close() -> Bool {
        exchange.withLock { $0.take() } != nil
    }

    private func report(_ event: @escaping @Sendable (SessionExchange) -> Void) {
        exchange.withLock { exchange in
            guard let exchange else { return }
            reports.addOperation { event(exchange) }  // inside the lock, so that no event follows the end
        }
    }

    private func end(with error: (any Error)?) {
        exchange.withLock { exchange in
            guard let ended = exchange.take() else { return }
            reports.addOperation { if let error { ended.didFail(error) } else { ended.didComplete(nil) } }
        }
    }

    func urlProtocol(
        _ protocol: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy
    ) {
        report { $0.didReceive(response) }
    }

    func urlProtocol(_ protocol: URLProtocol, didLoad data: Data) {
        report { $0.didReceive(data) }
    }

    func urlProtocolDidFinishLoading(_ protocol: URLProtocol) {
        end(with: nil)
    }

    func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error) {
        end(with: error)
    }

    func urlProtocol(_ protocol: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse) {
        report { exchange in
            exchange.didReceive(cachedResponse.response)
            exchange.didReceive(cachedResponse.data)
        }
    }

    /// Reports the redirect as the response. `RedirectRules` decide whether it is followed.
    func urlProtocol(_ protocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse) {
        report { $0.didReceive(redirectResponse) }
        end(with: nil)
    }

    func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {
        challenge.sender?.continueWithoutCredential(for: challenge)
    }

    func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {}
}
#endif
