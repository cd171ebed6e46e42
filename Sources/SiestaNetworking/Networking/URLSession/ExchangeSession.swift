import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A `URLSession` in delegate mode, and the exchanges that run in it.
///
/// Tasks are created on a separate queue, because `URLSession` blocks its callers. They are cancelled on the delegate
/// queue, between two callbacks, because cancelling a task during its completion can end the process. Every exchange in
/// progress keeps this object alive. When the object is released, the session is invalidated.
final class ExchangeSession: Sendable {
    private let session: URLSession
    private let delegate = Delegate()
    private let starts = DispatchQueue(label: "Siesta.ExchangeSession.starts", qos: .userInitiated)
    private let defaults: RequestDefaults
    private let limits: ExchangeLimits
    private let running = Atomic(0)
    #if os(Linux) || os(Android)
    private let protocols: [URLProtocol.Type]
    #endif

    init(configuration: URLSessionConfiguration, limits: ExchangeLimits) {
        #if os(Linux) || os(Android)
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

    /// The number of exchanges that were started and have not completed. An exchange counts before it has a task, and between
    /// the tasks of two redirects.
    var count: Int { running.load(ordering: .relaxed) }

    /// Starts an exchange of `request` and returns at once.
    ///
    /// - Parameter file: the file whose stream is the body of the request; nil for another body.
    func exchange(
        _ request: URLRequest, file: URL? = nil, receiver: (any ResponseReceiver)? = nil,
        extras: RequestExtras? = nil, cookies: SessionCookies? = nil,
        completion: @escaping SessionExchange.Completion
    ) -> SessionExchange {
        let request = defaults.applied(to: request)
        let isStreamed = receiver != nil
        let state = SessionExchange.State(request: request, limits: limits, isStreamed: isStreamed, extras: extras)
        let timeout = defaults.totalTimeout(for: request, isStreamed: isStreamed)
        running.add(1, ordering: .relaxed)
        let exchange = SessionExchange(
            state, in: self, timeout: timeout, file: file, receiver: receiver, cookies: cookies
        ) { [self] in
            running.subtract(1, ordering: .relaxed)
            completion($0, $1, $2, $3)
        }
        start(exchange)
        return exchange
    }

    /// Sends the current request of `exchange`, unless the exchange has ended.
    func start(_ exchange: SessionExchange) {
        starts.async { [self] in
            guard let request = exchange.requestToSend else { return }
            guard request.url != nil else { return exchange.didComplete(URLError(.badURL)) }
            let carrier = begin((exchange.cookies?.adding(to: request) ?? request).hardened(), for: exchange)
            if !exchange.isCarried(by: carrier) {
                stop(carrier)
            }
        }
    }

    private func begin(_ request: URLRequest, for exchange: SessionExchange) -> SessionExchange.Carrier {
        #if os(Linux) || os(Android)
        if let type = protocols.first(where: { $0.canInit(with: request) }) {
            return .load(ProtocolLoad(of: request, by: type, for: exchange, reportingOn: session.delegateQueue))
        }
        #endif
        let task = session.dataTask(with: request)
        delegate.expect(task, for: exchange, login: exchange.login)
        task.resume()
        return .task(task)
    }

    /// Ends the carrier of a request, unless the carrier is already completing. Its later reports are ignored.
    func stop(_ carrier: SessionExchange.Carrier) {
        switch carrier {
        case .task(let task):
            session.delegateQueue.addOperation { [delegate] in
                delegate.stop(task)
            }
        #if os(Linux) || os(Android)
        case .load(let load): load.stop()
        #endif
        }
    }
}
