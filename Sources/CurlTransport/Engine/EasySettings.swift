#if os(Linux) || os(Android)
import CCurl
import Foundation

/// The options of a transport as settings of libcurl. They are the same for all handles of an engine.
final class EasySettings {
    let options: TransportOptions
    private let overrides: UnsafeMutablePointer<ccurl_slist>?
    /// The cookies that the transport stores itself; nil if it stores none.
    let cookies: CookieShare?

    /// True if the environment contains a proxy. If it does not, libcurl need not read the environment for each
    /// request.
    private let namesProxy: Bool

    /// True if connections may be reused: libcurl calls back before it sends, and the proxy is not reached through TLS.
    ///
    /// If a TLS session with a proxy contains another TLS session, libcurl gives no access to the outer session. Then
    /// the transport could not check whether bytes have arrived in the outer session.
    private let keepsConnections: Bool

    init(_ options: TransportOptions) {
        self.options = options
        let proxies = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"].compactMap {
            ProcessInfo.processInfo.environment[$0]
        }
        namesProxy = !proxies.isEmpty
        let isProxySecure =
            switch options.proxy {
            case .environment: proxies.contains { $0.lowercased().hasPrefix("https:") }
            case .none: false
            case .url(let url): url.scheme?.lowercased() == "https"
            }
        keepsConnections = CurlLibrary.asksBeforeSending && !isProxySecure
        overrides = options.hostOverrides.reduce(nil) { ccurl_slist_append($0, "\($1.key):\($1.value)") ?? $0 }
        cookies = options.keepsCookies ? CookieShare(number: 0) : nil
    }

    deinit {
        ccurl_slist_free(overrides)
    }

    /// Applies all settings to a new handle. Returns false if the installed libcurl does not support a required
    /// setting.
    func apply(to easy: OpaquePointer) -> Bool {
        applyBasics(to: easy)
        applyConveniences(to: easy)
        return applyTrust(to: easy) && applyRoute(to: easy)
    }

    private func applyBasics(to easy: OpaquePointer) {
        let version =
            switch options.httpVersion {
            case .automatic, .http1: CCURL_HTTP_VERSION_1_1
            case .http2OverTLS: CCURL_HTTP_VERSION_2TLS
            case .http2: CCURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE
            }
        let connect = UInt64.nanoseconds(options.connectTimeout) / 1_000_000 + Self.connectTimeoutMargin
        for (option, value) in [
            (CCURL_OPT_NOSIGNAL, 1),
            (CCURL_OPT_BUFFERSIZE, Self.bufferSize),
            (CCURL_OPT_PROTOCOLS, CCURL_PROTO_HTTP | CCURL_PROTO_HTTPS),
            (CCURL_OPT_HTTP_VERSION, version),
            (CCURL_OPT_SSLVERSION, CCURL_SSLVERSION_TLSV1_2),  // or later (RFC 8996)
            (CCURL_OPT_PATH_AS_IS, 1),
            (CCURL_OPT_SUPPRESS_CONNECT_HEADERS, 1),
            (CCURL_OPT_HTTP09_ALLOWED, 0),
            (CCURL_OPT_CONNECTTIMEOUT_MS, Int(min(connect, 1_000_000_000))),
            (CCURL_OPT_FORBID_REUSE, keepsConnections ? 0 : 1),
        ] {
            _ = ccurl_set_long(easy, option, value)
        }
    }

    private func applyConveniences(to easy: OpaquePointer) {
        if let names = options.encodings {
            set(easy, CCURL_OPT_ACCEPT_ENCODING, names.joined(separator: ", "))
            _ = ccurl_set_long(easy, CCURL_OPT_HTTP_CONTENT_DECODING, 0)  // libcurl would decode without a limit
        }
        if let userAgent = options.userAgent {
            set(easy, CCURL_OPT_USERAGENT, userAgent)
        }
        if let cookies {
            set(easy, CCURL_OPT_COOKIEFILE, "")
            _ = ccurl_set_share(easy, cookies.share)
        }
    }

    private func applyTrust(to easy: OpaquePointer) -> Bool {
        var isKnown = true
        if let file = options.caFile {
            isKnown = set(easy, CCURL_OPT_CAINFO, file)
            // otherwise the system's certificates would also be trusted
            _ = ccurl_set_text(easy, CCURL_OPT_CAPATH, nil)
        }
        if let certificate = options.clientCertificate {
            isKnown = isKnown && set(easy, CCURL_OPT_SSLCERT, certificate.certificateFile)
            isKnown = isKnown && set(easy, CCURL_OPT_SSLKEY, certificate.keyFile ?? certificate.certificateFile)
            if let password = certificate.password {
                isKnown = isKnown && set(easy, CCURL_OPT_KEYPASSWD, password)
            }
        }
        if !options.pinnedPublicKeys.isEmpty {
            let keys = options.pinnedPublicKeys.joined(separator: ";")
            isKnown = isKnown && set(easy, CCURL_OPT_PINNEDPUBLICKEY, keys)
        }
        return isKnown
    }

    private func applyRoute(to easy: OpaquePointer) -> Bool {
        var isKnown = true
        if let path = options.unixSocket {
            isKnown = set(easy, CCURL_OPT_UNIX_SOCKET_PATH, path) && set(easy, CCURL_OPT_PROXY, "")
        } else {
            switch options.proxy {
            case .environment: if !namesProxy { set(easy, CCURL_OPT_PROXY, "") }
            case .none: isKnown = set(easy, CCURL_OPT_PROXY, "")
            case .url(let url): isKnown = set(easy, CCURL_OPT_PROXY, url.absoluteString)
            }
        }
        if !options.noProxy.isEmpty {
            isKnown = isKnown && set(easy, CCURL_OPT_NOPROXY, options.noProxy.joined(separator: ","))
        }
        if let overrides {
            isKnown = isKnown && ccurl_set_list(easy, CCURL_OPT_RESOLVE, overrides) == 0
        }
        return isKnown
    }

    @discardableResult
    private func set(_ easy: OpaquePointer, _ option: ccurl_option, _ value: String) -> Bool {
        ccurl_set_text(easy, option, value) == 0
    }

    /// The number of bytes that libcurl reads from a socket at once.
    private static let bufferSize = 64 << 10

    /// The time, in milliseconds, by which libcurl's connect time-out is longer than the transport's. Therefore the
    /// transport's time-out comes first.
    private static let connectTimeoutMargin: UInt64 = 1000
}
#endif
