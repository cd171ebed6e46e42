#if os(Linux) || os(Android)
import CurlTransport
import FoundationNetworking
#endif

import Foundation

/// The platform's preferred networking: ``CurlProvider`` on Linux, `URLSession` elsewhere.
///
/// On a Linux system without a usable libcurl, it uses `URLSession` and logs this once in the process. The choice is
/// made at the first request.
public struct DefaultNetworking: NetworkingProviderConvertible, Sendable {
    /// Creates the default networking.
    public init() {}

    #if os(Linux) || os(Android)
    /// A provider that opens libcurl at its first use.
    public var siestaNetworkingProvider: any NetworkingProvider {
        DefaultProvider { CurlTransport.isAvailable }
    }
    #else
    /// A provider with its own `URLSession`, which stores no cookies and no caches on disk.
    public var siestaNetworkingProvider: any NetworkingProvider {
        URLSessionConfiguration.ephemeral.siestaNetworkingProvider
    }
    #endif
}

#if os(Linux) || os(Android)
/// Uses libcurl if it is available; otherwise uses `URLSession`.
@MainActor
final class DefaultProvider: ExtrasProvider {
    private let isCurlAvailable: () -> Bool
    private lazy var provider = chosen()

    init(isCurlAvailable: @escaping () -> Bool) {
        self.isCurlAvailable = isCurlAvailable
    }

    func startRequest(
        _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        provider.startRequest(request, completion: completion)
    }

    func startRequest(
        _ request: URLRequest, answering completion: @escaping @Sendable (NetworkResponse) -> Void
    ) -> any RequestNetworking {
        provider.startRequest(request, answering: completion)
    }

    func startRequest(
        _ request: URLRequest, body: (any StreamedBody)?, receiver: (any ResponseReceiver)?,
        completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        provider.startRequest(request, body: body, receiver: receiver, completion: completion)
    }

    func startRequest(
        _ request: URLRequest, extras: RequestExtras,
        answering completion: @escaping @Sendable (NetworkResponse) -> Void
    ) -> any RequestNetworking {
        provider.startRequest(request, extras: extras, answering: completion)
    }

    func startRequest(
        _ request: URLRequest, body: (any StreamedBody)?, receiver: (any ResponseReceiver)?, extras: RequestExtras?,
        completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        provider.startRequest(request, body: body, receiver: receiver, extras: extras, completion: completion)
    }

    private func chosen() -> any ExtrasProvider {
        guard !isCurlAvailable() else { return CurlProvider() }
        Self.missingLibraryReported
        return SessionConfigurationProvider(.ephemeral)
    }

    /// Logs the remedy at the first read of this property, even if no category is enabled.
    private static let missingLibraryReported: Void = SiestaLog.emit(
        .network,
        [
            "libcurl 7.62 or later cannot be loaded: requests go through URLSession, which is slower.",
            "Install libcurl.so.4 (Debian, Ubuntu: libcurl4), or pass URLSessionConfiguration.ephemeral as the",
            "service's networking to choose URLSession",
        ])
}
#endif
