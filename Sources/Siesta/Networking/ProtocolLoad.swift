#if os(Linux)
import Dispatch
import Foundation
import FoundationNetworking

/// A request that a `URLProtocol` class of the app carries out, without a session's task.
///
/// On Linux, a session ends the process if a protocol calls its client after `stopLoading()`, or a second time at the
/// end. Here, such calls have no effect, on any thread. The protocol's `task` is nil; otherwise it works as in a
/// session.
final class ProtocolLoad: @unchecked Sendable {  // sound: `instance` is touched on `queue` only
    private let client: Client
    private let queue = DispatchQueue(label: "Siesta.ProtocolLoad", qos: .userInitiated)
    private var instance: URLProtocol?

    /// Starts the load. `transfer` receives its events on `reports`, one after the other.
    init(
        of request: URLRequest, by type: URLProtocol.Type, for transfer: Transfer, reportingOn reports: OperationQueue
    ) {
        let client = Client(transfer, reports)
        self.client = client
        queue.async { [self] in
            let instance = type.init(request: request, cachedResponse: nil, client: client)
            self.instance = instance
            instance.startLoading()
        }
    }

    /// Tells the protocol to stop, unless it has reported its end. May be called on any thread.
    func stop() {
        guard client.close() else { return }
        queue.async { [self] in
            instance?.stopLoading()
            instance = nil
        }
    }
}

/// Passes the protocol's events on, until the first end.
private final class Client: NSObject, URLProtocolClient, Sendable {
    private let transfer: Locked<Transfer?>
    private let reports: OperationQueue

    init(_ transfer: Transfer, _ reports: OperationQueue) {
        self.transfer = Locked(transfer)
        self.reports = reports
    }

    /// Stops passing events on. Returns false if it had stopped before.
    func close() -> Bool {
        transfer.withLock { $0.take() } != nil
    }

    private func report(_ event: @escaping @Sendable (Transfer) -> Void) {
        transfer.withLock { transfer in
            guard let transfer else { return }
            reports.addOperation { event(transfer) }  // inside the lock, so that no event follows the end
        }
    }

    private func end(with error: (any Error)?) {
        transfer.withLock { transfer in
            guard let ended = transfer.take() else { return }
            reports.addOperation { ended.didComplete(error) }
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
        report { transfer in
            transfer.didReceive(cachedResponse.response)
            transfer.didReceive(cachedResponse.data)
        }
    }

    /// Reports the redirect as the response; `RedirectRules` decide whether it is followed.
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
