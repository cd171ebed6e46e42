import Foundation
import Isolation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension ExchangeSession {
    /// Passes the session's reports about a task to the task's exchange.
    ///
    /// All members except ``expect(_:for:)`` run on the delegate queue, one at a time.
    final class Delegate: NSObject, URLSessionDataDelegate {
        private let hops = Locked<[Int: Hop]>([:])

        /// A task of an exchange, for its first request or for a redirect.
        private struct Hop {
            let exchange: SessionExchange
            let login: RequestExtras.Login?
            var ending = Ending.open

            /// The action that ends the task. There must be only one action: `URLSession` traps at a second action.
            enum Ending {
                case open, cancelled, redirectDeclined, challengeDeclined
            }
        }

        /// Assigns the reports about `task` to `exchange`. Must be called before the task is resumed.
        func expect(_ task: URLSessionTask, for exchange: SessionExchange, login: RequestExtras.Login? = nil) {
            hops.withLock { $0[task.taskIdentifier] = Hop(exchange: exchange, login: login) }
        }

        /// Cancels `task`, unless it has ended or is about to end.
        func stop(_ task: URLSessionTask) {
            if end(task, as: .cancelled) {
                task.cancel()
            }
        }

        /// Records the action that ends `task`. Returns false if an earlier action has ended it.
        private func end(_ task: URLSessionTask, as ending: Hop.Ending) -> Bool {
            hops.withLock { hops in
                guard hops[task.taskIdentifier]?.ending == .open else { return false }
                hops[task.taskIdentifier]?.ending = ending
                return true
            }
        }

        private func exchange(of task: URLSessionTask) -> SessionExchange? {
            hops.withLock { $0[task.taskIdentifier]?.exchange }
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
            totalBytesExpectedToSend: Int64
        ) {
            exchange(of: task)?.didSend(totalBytesSent)
        }

        func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
            completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
        ) {
            completionHandler(.allow)  // Linux ignores .cancel
            exchange(of: dataTask)?.didReceive(response)
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            exchange(of: dataTask)?.didReceive(data)
        }

        /// Declines the redirect, so that its response is reported. ``RedirectRules`` decide later whether it is
        /// followed.
        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            #if os(Linux) || os(Android)
            guard end(task, as: .redirectDeclined) else { return }  // traps if the task has been cancelled
            #endif
            completionHandler(nil)
        }

        /// Answers a challenge once with the login of the request. Declines to authenticate otherwise, so that the 401
        /// is delivered like any other response.
        ///
        /// `URLSession` on Linux ends the process if it should answer a Digest challenge. There, the response and its body have already been reported, and the default handling would never
        /// complete. On other platforms, the default handling also checks the server's certificate.
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            #if os(Linux) || os(Android)
            guard end(task, as: .challengeDeclined) else { return }  // as above
            completionHandler(.cancelAuthenticationChallenge, nil)
            #else
            let login = hops.withLock { $0[task.taskIdentifier]?.login }
            let space = challenge.protectionSpace
            guard let login, space.authenticationMethod == NSURLAuthenticationMethodHTTPDigest, !space.isProxy(),
                challenge.previousFailureCount == 0
            else { return completionHandler(.performDefaultHandling, nil) }
            let credential = URLCredential(user: login.user, password: login.password, persistence: .none)
            completionHandler(.useCredential, credential)
            #endif
        }

        #if !os(Linux) && !os(Android)
        /// Opens the file of the body again. The session sends a request again after a challenge, and if a connection that
        /// it has reused turns out to be closed.
        func urlSession(
            _ session: URLSession, task: URLSessionTask,
            needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
        ) {
            completionHandler(exchange(of: task)?.newBodyStream)
        }
        #endif

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            guard let hop = hops.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
            let isDelivered = hop.ending == .challengeDeclined
            hop.exchange.didComplete(isDelivered ? nil : error, lastResponse: task.response)
        }
    }
}
