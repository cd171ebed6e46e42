#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

extension URLSessionConfiguration: NetworkingProviderConvertible {
    /// A new provider with a session of its own, made from a copy of this configuration at the first request.
    ///
    /// Headers, time-outs, connection limits, protocol classes and proxies are kept. Siesta follows redirects itself:
    /// headers of a request or of `httpAdditionalHeaders` do not reach another scheme, host or port, but for those that
    /// can be no secret, such as `Accept` and `User-Agent`. A redirect from https to http is an error, and so are a
    /// response body over 64 MB in memory, a 21st redirect, and a response with over 1000 header fields.
    ///
    /// On Linux, the URL cache, the cookie storage and the credential storage are removed, also those that you chose:
    /// with a cache, cancelling a request can end the process; with a cookie storage, cookies replace the `Cookie`
    /// header of a request and may be written to disk. If you need any of them, pass a `URLSession`. Time-outs between
    /// packets are rounded up to whole seconds there, at least one; `timeoutIntervalForResource` holds everywhere, and
    /// for all redirects together. Its default of seven days means ten minutes for requests whose bodies are in memory.
    /// Protocol classes run outside of a session there, because a session ends the process if a protocol calls its
    /// client after `stopLoading()`; their `task` is nil.
    public var siestaNetworkingProvider: any NetworkingProvider { SessionConfigurationProvider(self) }
}

/// Sends requests through a session of its own, with the flaws of `URLSession` worked around as far as they can be.
///
/// The session is made at the first request, and invalidated once the provider and its last request are gone.
@MainActor
final class SessionConfigurationProvider: NetworkingProvider {
    private let configuration: URLSessionConfiguration
    private let limits: TransferLimits
    private lazy var session = TransferSession(configuration: configuration, limits: limits)

    /// Creates a provider from the present settings of `configuration`; later changes to it have no effect.
    init(_ configuration: URLSessionConfiguration, limits: TransferLimits = TransferLimits()) {
        self.configuration = configuration.copied()
        self.limits = limits
    }

    func startRequest(
        _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        session.transfer(request, completion: completion)
    }
}

extension SessionConfigurationProvider: FieldAddingProvider {
    /// The configuration's headers; on Linux no cookies, since its sessions keep none.
    var addedFields: AddedFields {
        let sent = configuration.hardened()
        sent.httpAdditionalHeaders = configuration.httpAdditionalHeaders
        return AddedFields(sent)
    }
}

extension SessionConfigurationProvider: StreamingNetworkingProvider {
    /// The body goes through a file if it is large, since `URLSession` takes nothing else everywhere.
    ///
    /// The answer comes as it does to the session's delegate. A slow receiver makes the server wait, but not on Linux:
    /// there, the request fails with `URLError.dataLengthExceedsMaximum` once 64 MB wait.
    func startRequest(
        _ request: URLRequest, body: (any StreamedBody)?, receiver: (any ResponseReceiver)?,
        completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        guard let body else { return session.transfer(request, receiver: receiver, completion: completion) }
        guard body.isRepeatable else {
            return FailedStart(RequestError.Cause.StreamingUnsupported(provider: URLSession.self), completion)
        }
        return SpooledRequest(request, body: body, completion: completion) { [session] request, completion in
            session.transfer(request, receiver: receiver, completion: completion)
        }
    }
}
