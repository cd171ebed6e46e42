import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A `URLSession` in delegate mode and the transfers that run in it.
///
/// Tasks are made on a queue of its own, because `URLSession` makes its callers wait; they are cancelled on the
/// delegate queue, between two callbacks, because a task that is cancelled while it completes can end the process.
/// Every transfer in progress keeps this object alive; without any, releasing it invalidates the session.
final class TransferSession: Sendable {
    private let session: URLSession
    private let delegate = Delegate()
    private let starts = DispatchQueue(label: "Siesta.TransferSession.starts", qos: .userInitiated)
    private let defaults: RequestDefaults
    private let limits: TransferLimits

    init(configuration: URLSessionConfiguration, limits: TransferLimits) {
        #if os(Linux)
        OpenSSLAtExit.cleanUpDisabled
        #endif
        defaults = RequestDefaults(configuration)
        self.limits = limits
        session = URLSession(configuration: configuration.hardened(), delegate: delegate, delegateQueue: nil)
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    /// Starts a transfer of `request` without waiting for anything.
    func transfer(
        _ request: URLRequest, receiver: (any ResponseReceiver)? = nil,
        completion: @escaping RequestNetworkingCompletionCallback
    ) -> Transfer {
        let state = Transfer.State(
            request: defaults.applied(to: request), limits: limits, isStreamed: receiver != nil)
        let transfer = Transfer(
            state, in: self, timeout: defaults.totalTimeout, receiver: receiver, completion: completion)
        start(transfer)
        return transfer
    }

    /// Sends the present request of `transfer`, unless it is over by then.
    func start(_ transfer: Transfer) {
        starts.async { [self] in
            guard let request = transfer.requestToSend else { return }
            guard request.url != nil else { return transfer.didComplete(URLError(.badURL)) }
            let task = session.dataTask(with: request.hardened())
            delegate.expect(task, for: transfer)
            task.resume()
            if !transfer.isCarried(by: task) {
                stop(task)
            }
        }
    }

    /// Ends `task`, unless it is completing already; what it still reports goes nowhere.
    func stop(_ task: URLSessionTask) {
        session.delegateQueue.addOperation { [delegate] in
            delegate.stop(task)
        }
    }
}
