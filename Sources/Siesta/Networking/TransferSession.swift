import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A `URLSession` in delegate mode, and the transfers that run in it.
///
/// Tasks are created on a separate queue, because `URLSession` blocks its callers. They are cancelled on the delegate
/// queue, between two callbacks, because cancelling a task during its completion can end the process. Every transfer in
/// progress keeps this object alive; when it is released, the session is invalidated.
final class TransferSession: Sendable {
    private let session: URLSession
    private let delegate = Delegate()
    private let starts = DispatchQueue(label: "Siesta.TransferSession.starts", qos: .userInitiated)
    private let defaults: RequestDefaults
    private let limits: TransferLimits
    #if os(Linux)
    private let protocols: [URLProtocol.Type]
    #endif

    init(configuration: URLSessionConfiguration, limits: TransferLimits) {
        #if os(Linux)
        OpenSSLAtExit.cleanUpDisabled
        protocols = configuration.appProtocols
        #endif
        defaults = RequestDefaults(configuration)
        self.limits = limits
        session = URLSession(configuration: configuration.hardened(), delegate: delegate, delegateQueue: nil)
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    /// Starts a transfer of `request` and returns at once.
    func transfer(
        _ request: URLRequest, receiver: (any ResponseReceiver)? = nil,
        completion: @escaping RequestNetworkingCompletionCallback
    ) -> Transfer {
        let request = defaults.applied(to: request)
        let isStreamed = receiver != nil
        let state = Transfer.State(request: request, limits: limits, isStreamed: isStreamed)
        let timeout = defaults.totalTimeout(for: request, isStreamed: isStreamed)
        let transfer = Transfer(state, in: self, timeout: timeout, receiver: receiver, completion: completion)
        start(transfer)
        return transfer
    }

    /// Sends the current request of `transfer`, unless the transfer is over by then.
    func start(_ transfer: Transfer) {
        starts.async { [self] in
            guard let request = transfer.requestToSend else { return }
            guard request.url != nil else { return transfer.didComplete(URLError(.badURL)) }
            let carrier = begin(request.hardened(), for: transfer)
            if !transfer.isCarried(by: carrier) {
                stop(carrier)
            }
        }
    }

    private func begin(_ request: URLRequest, for transfer: Transfer) -> Transfer.Carrier {
        #if os(Linux)
        if let type = protocols.first(where: { $0.canInit(with: request) }) {
            return .load(ProtocolLoad(of: request, by: type, for: transfer, reportingOn: session.delegateQueue))
        }
        #endif
        let task = session.dataTask(with: request)
        delegate.expect(task, for: transfer)
        task.resume()
        return .task(task)
    }

    /// Ends the carrier of a request, unless it is already completing. Its later reports are ignored.
    func stop(_ carrier: Transfer.Carrier) {
        switch carrier {
        case .task(let task):
            session.delegateQueue.addOperation { [delegate] in
                delegate.stop(task)
            }
        #if os(Linux)
        case .load(let load): load.stop()
        #endif
        }
    }
}
