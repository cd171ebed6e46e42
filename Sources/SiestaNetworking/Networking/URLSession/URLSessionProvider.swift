#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// A provider that sends requests through a `URLSession` of the app, without changing the session's behavior.
///
/// Each request is a data task with a completion handler. The session itself handles redirects, cookies, caching,
/// authentication and limits. On Linux, the defects of `URLSession` therefore affect the app. If the session has no
/// delegate, a request never completes after a response with status 401 and a `Basic` challenge. If the session has a
/// `URLCache`, cancelling a request may crash the process. To avoid these two defects, pass a `URLSessionConfiguration`
/// instead of a session.
public struct URLSessionProvider: NetworkingProvider, Sendable {
    /// The session that carries out the requests. The provider never invalidates the session.
    public let session: URLSession

    /// Creates a provider that sends its requests through `session`.
    public init(session: URLSession) {
        self.session = session
    }

    /// Starts a data task for `request`. `completion` runs on the queue on which the session runs its completion
    /// handlers.
    public func startRequest(
        _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        let task = session.dataTask(with: request) { data, response, error in
            completion(response as? HTTPURLResponse, data, error)
        }
        task.resume()
        return StartedTask(task: task)
    }

    private struct StartedTask: SessionTaskContainer {
        let task: URLSessionTask
    }
}

extension URLSession: NetworkingProviderConvertible {
    /// A provider that uses this session without changes; see ``URLSessionProvider``.
    public var siestaNetworkingProvider: any NetworkingProvider { URLSessionProvider(session: self) }
}
