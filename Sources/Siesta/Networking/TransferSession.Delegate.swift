import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension TransferSession {
    /// Passes the session's reports about a task to the task's transfer.
    ///
    /// All functions except ``expect(_:for:)`` run on the delegate queue, one at a time.
    final class Delegate: NSObject, URLSessionDataDelegate {
        private let hops = Locked<[Int: Hop]>([:])

        /// A task of a transfer, for its first request or for a redirect.
        private struct Hop {
            let transfer: Transfer
            var ending = Ending.open

            /// The action that ends the task. There must be only one, or `URLSession` traps.
            enum Ending {
                case open, cancelled, redirectDeclined, challengeDeclined
            }
        }

        /// Assigns the reports about `task` to `transfer`. Call it before the task is resumed.
        func expect(_ task: URLSessionTask, for transfer: Transfer) {
            hops.withLock { $0[task.taskIdentifier] = Hop(transfer: transfer) }
        }

        /// Cancels `task`, unless it has ended or is about to end.
        func stop(_ task: URLSessionTask) {
            if end(task, as: .cancelled) {
                task.cancel()
            }
        }

        /// Notes the action that ends `task`. Returns false if there was one before.
        private func end(_ task: URLSessionTask, as ending: Hop.Ending) -> Bool {
            hops.withLock { hops in
                guard hops[task.taskIdentifier]?.ending == .open else { return false }
                hops[task.taskIdentifier]?.ending = ending
                return true
            }
        }

        private func transfer(of task: URLSessionTask) -> Transfer? {
            hops.withLock { $0[task.taskIdentifier]?.transfer }
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
            totalBytesExpectedToSend: Int64
        ) {
            transfer(of: task)?.didSend(totalBytesSent)
        }

        func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
            completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
        ) {
            completionHandler(.allow)  // Linux ignores .cancel
            transfer(of: dataTask)?.didReceive(response)
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            transfer(of: dataTask)?.didReceive(data)
        }

        /// Declines the redirect, so that its response is reported; ``RedirectRules`` decide later whether it is
        /// followed.
        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            #if os(Linux)
            guard end(task, as: .redirectDeclined) else { return }  // traps if the task was cancelled meanwhile
            #endif
            completionHandler(nil)
        }

        /// Declines to authenticate, so that the 401 is delivered like any other response.
        ///
        /// On Linux, the response and its body were reported before, and default handling would never complete. On
        /// other platforms, default handling also checks the server's certificate.
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            #if os(Linux)
            guard end(task, as: .challengeDeclined) else { return }  // as above
            completionHandler(.cancelAuthenticationChallenge, nil)
            #else
            completionHandler(.performDefaultHandling, nil)
            #endif
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            guard let hop = hops.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
            let isDelivered = hop.ending == .challengeDeclined
            hop.transfer.didComplete(isDelivered ? nil : error, lastResponse: task.response)
        }
    }
}
