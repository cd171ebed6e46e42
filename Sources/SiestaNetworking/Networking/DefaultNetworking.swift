#if os(Linux) || os(Android)
import CurlTransport
import FoundationNetworking
#endif

import Foundation

/// The platform's preferred networking: ``CurlProvider`` on Linux and Android, and `URLSession` on Apple platforms.
///
/// On Linux systems without a usable libcurl, the default networking uses `URLSession`, and logs a message once per
/// process. It chooses between the two at the first request.
///
/// On Linux, requests have a `User-Agent` by default: the name of the process and the version of Siesta, for example
/// `my-tool Siesta/2.0`. Some servers refuse requests without this header. If a request, or the configuration of the
/// service, sets the header, that value is sent instead.
///
/// On Linux, an app needs no additional libraries. `URLSession` itself needs libcurl, so libcurl is installed on every
/// system with Foundation's networking. You can build the app without libcurl's C headers.
///
/// The default networking opens libcurl 7.62 or later at run time. Some programs, such as static executables, cannot
/// open libraries at run time. For such programs, enable the package trait `LinkedCurl`. The program is then linked,
/// statically or dynamically, with the versions of libcurl and zlib that the linker finds. On Debian, install
/// `libcurl4-openssl-dev` and `zlib1g-dev` before you build the program. The build still needs no C headers, and the
/// trait does not change how requests are sent.
///
/// Programs that are built with `swift build --static-swift-stdlib` do not need the trait. In such a program,
/// Foundation itself is linked with libcurl. Therefore, the linker needs `libcurl4-openssl-dev`, and the program needs
/// `libcurl.so.4` at run time. Siesta then uses the same libcurl.
public struct DefaultNetworking: NetworkingProviderConvertible, Sendable {
    private let userAgent: UserAgent

    /// Creates the default networking, with the default `User-Agent`.
    public init() {
        userAgent = .standard
    }

    /// Creates the default networking with a custom `User-Agent`, or without this header.
    ///
    /// - Parameter userAgent: The value of the header. If the value is nil, libcurl sends no `User-Agent`, and
    ///   `URLSession` sends its own. If the value contains a control character, every request fails on Linux.
    public init(userAgent: String?) {
        self.userAgent = .chosen(userAgent)
    }

    #if os(Linux) || os(Android)
    /// A provider that opens libcurl at its first request.
    public var siestaNetworkingProvider: any NetworkingProvider {
        DefaultProvider(userAgent: userAgent) { CurlTransport.isAvailable }
    }
    #else
    /// A provider with its own `URLSession`. The session writes no cookies and no responses to disk.
    public var siestaNetworkingProvider: any NetworkingProvider { SessionConfigurationProvider(default: userAgent) }
    #endif
}

#if os(Linux) || os(Android)
/// Uses libcurl if it is available; otherwise uses `URLSession`.
@MainActor
final class DefaultProvider: nonisolated Transport, nonisolated StreamingNetworkingProvider {
    private let isCurlAvailable: () -> Bool
    private let userAgent: UserAgent
    private let cookies: CookieStorage
    private let owner: CookieOwner
    private var chosenTransport: (any Transport)?

    init(
        userAgent: UserAgent = .standard, cookies: CookieStorage = .none, of owner: CookieOwner = CookieOwner(),
        isCurlAvailable: @escaping () -> Bool
    ) {
        (self.userAgent, self.cookies, self.owner) = (userAgent, cookies, owner)
        self.isCurlAvailable = isCurlAvailable
    }

    var capabilities: TransportCapabilities { [.streaming, .extras] }

    func start(
        _ call: TransportCall, completion: @escaping @Sendable (NetworkResponse) -> Void
    ) -> any RequestNetworking {
        chosen.start(call, completion: completion)
    }

    func keepingCookies(in storage: CookieStorage, of owner: CookieOwner) -> any Transport {
        DefaultProvider(userAgent: userAgent, cookies: storage, of: owner, isCurlAvailable: isCurlAvailable)
    }

    var cookieKeeper: (any CookieKeeping)? { cookies.place == .none ? nil : chosen.cookieKeeper }

    var mayHaveCookies: Bool {
        guard cookies.place != .none else { return false }
        return chosenTransport?.mayHaveCookies ?? (cookies.place != .inMemory)
    }

    var addedFields: AddedFields {
        AddedFields(headers: userAgent.value.map { ["User-Agent": $0] } ?? [:], keepsCookies: false)
    }

    /// The transport, chosen at the first use.
    private var chosen: any Transport {
        if let chosenTransport { return chosenTransport }
        let chosen = choose().keepingCookies(in: cookies, of: owner)
        chosenTransport = chosen
        return chosen
    }

    private func choose() -> any Transport {
        guard isCurlAvailable() else {
            Self.missingLibraryReported
            return SessionConfigurationProvider(default: userAgent)
        }
        var options = CurlProvider.Options()
        options.userAgent = userAgent.value
        return CurlProvider(options: options)
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
