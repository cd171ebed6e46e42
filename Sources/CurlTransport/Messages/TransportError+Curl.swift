#if os(Linux) || os(Android)
import CCurl
import Foundation

extension TransportError {
    /// libcurl's data about a failed exchange.
    struct CurlReport: Sendable {
        var code: Int
        var text = ""
        var errno: Int32 = 0
        var verifyResult = 0
        var phase = Phase.waiting
        var isRepeatable = true
        /// True if libcurl has sent the request, and the server has not refused it.
        var wasSent = false
        /// True if libcurl was opening a connection when the exchange failed.
        var isConnecting = false
    }

    /// Creates the error for a report of libcurl.
    init(_ report: CurlReport) {
        self.init(
            report.leavesOutcomeUnknown ? .outcomeUnknown : report.kind, report.text, curlCode: report.code,
            errno: report.errno)
    }

    /// True if the error occurs before a request is sent.
    var isUnsent: Bool { kind.isUnsent }

    /// Returns the error for a request that may have been carried out, and must not be sent twice.
    static func outcomeUnknown(_ message: String) -> TransportError {
        TransportError(.outcomeUnknown, message + "; the server may have carried out the request")
    }
}

extension TransportError.Kind {
    /// True if the error occurs before a request is sent.
    fileprivate var isUnsent: Bool { [.noConnection, .nameNotFound, .refused, .proxy].contains(self) }
}

extension TransportError.CurlReport {
    /// The kind of the error. If the code is ambiguous, for example about the certificate, libcurl's message determines
    /// the kind.
    var kind: TransportError.Kind {
        switch ccurl_code(UInt32(code)) {
        case CCURL_URL_MALFORMAT: .badURL
        case CCURL_COULDNT_RESOLVE_PROXY, CCURL_COULDNT_RESOLVE_HOST: .nameNotFound
        case CCURL_COULDNT_CONNECT: connectionKind
        case CCURL_OPERATION_TIMEDOUT: .timedOut(while: phase)
        case CCURL_UNSUPPORTED_PROTOCOL, CCURL_WEIRD_SERVER_REPLY, CCURL_HTTP2_STREAM: .protocolViolation
        case CCURL_HTTP2: mentions("framing layer") ? .connectionLost : .protocolViolation  // as after a GOAWAY
        case CCURL_PARTIAL_FILE, CCURL_GOT_NOTHING, CCURL_SEND_ERROR, CCURL_SEND_FAIL_REWIND: .connectionLost
        case CCURL_RECV_ERROR: receiveKind
        case CCURL_BAD_CONTENT_ENCODING, CCURL_WRITE_ERROR: .undecodable
        case CCURL_OUT_OF_MEMORY: phase == .waiting ? .headersTooLarge : .outOfMemory  // a very long header line
        case CCURL_TOO_LARGE: .headersTooLarge
        case CCURL_SSL_CONNECT_ERROR where isCut: .connectionLost
        case CCURL_PROXY: .proxy
        default: tlsFailure.map { .tls($0) } ?? .connectionLost
        }
    }

    /// True if the connection ended between the request and its response, and the request must not be sent again.
    var leavesOutcomeUnknown: Bool {
        guard !isRepeatable, phase != .reading else { return false }
        // The connection of the request was lost, and libcurl did not get another one to send the request again.
        if wasSent, isConnecting || kind.isUnsent { return true }
        guard phase == .waiting else { return false }
        return kind == .connectionLost || code == CCURL_HTTP2.rawValue || code == CCURL_HTTP2_STREAM.rawValue
    }

    /// True if the connection ended before a byte of the request could be sent. This happens, for example, when a
    /// server restarts.
    var isCutHandshake: Bool { code == CCURL_SSL_CONNECT_ERROR.rawValue && isCut }

    private var connectionKind: TransportError.Kind {
        switch errno {
        case ECONNREFUSED: .refused
        case ETIMEDOUT: .timedOut(while: .connecting)
        case ECONNRESET, EPIPE: .connectionLost  // the connection was established for a short time
        default: .noConnection
        }
    }

    private var receiveKind: TransportError.Kind {
        if mentions("header") && mentions("large") || mentions("nghttp2") && mentions("callback") {
            return .headersTooLarge
        }
        if mentions("chunk") || mentions("hexadecimal") { return .protocolViolation }
        return mentions("CONNECT tunnel") || mentions("proxy") ? .proxy : .connectionLost
    }

    /// True if the connection ended during the TLS handshake.
    private var isCut: Bool {
        let words = ["SSL_ERROR_SYSCALL", "reset by peer", "broken pipe", "unexpected eof", "not properly terminated"]
        return words.contains { mentions($0) }
    }

    private var tlsFailure: TransportError.TLSFailure? {
        switch ccurl_code(UInt32(code)) {
        case CCURL_PEER_FAILED_VERIFICATION: certificateFailure
        case CCURL_SSL_PINNEDPUBKEYNOTMATCH: .pinned
        case CCURL_SSL_CERTPROBLEM, CCURL_SSL_CACERT_BADFILE, CCURL_SSL_ENGINE_NOTFOUND: .localCertificate
        case CCURL_SSL_ISSUER_ERROR, CCURL_SSL_INVALIDCERTSTATUS: .untrusted
        case CCURL_SSL_CONNECT_ERROR, CCURL_SSL_CIPHER, CCURL_SSL_CLIENTCERT: .handshake
        default: nil
        }
    }

    /// 9 and 10 are `X509_V_ERR_CERT_NOT_YET_VALID` and `X509_V_ERR_CERT_HAS_EXPIRED` of OpenSSL.
    private var certificateFailure: TransportError.TLSFailure {
        if verifyResult == 9 || verifyResult == 10 || mentions("expired") || mentions("not yet valid") {
            return .expired
        }
        return mentions("subject name") || mentions("host name") || mentions("hostname") ? .wrongHost : .untrusted
    }

    private func mentions(_ words: String) -> Bool {
        text.range(of: words, options: .caseInsensitive) != nil
    }
}
#endif
