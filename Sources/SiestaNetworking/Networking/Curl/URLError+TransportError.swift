#if os(Linux) || os(Android)
import CurlTransport
import Foundation

extension URLError {
    /// Creates the error for apps, with the transport's error as the underlying error.
    init(_ error: TransportError) {
        let isUnreachable = error.kind != .noConnection || [ENETUNREACH, ENETDOWN, EHOSTUNREACH].contains(error.errno)
        let code = isUnreachable ? Code(error.kind) : .cannotConnectToHost
        var details: [String: Any] = [NSUnderlyingErrorKey: error, "NSDebugDescription": error.description]
        details[Self.originName] = error.origin
        self.init(code, userInfo: details)
    }
}

extension URLError.Code {
    init(_ kind: TransportError.Kind) {
        self =
            switch kind {
            case .noConnection: .notConnectedToInternet
            case .nameNotFound: .cannotFindHost
            case .refused, .proxy: .cannotConnectToHost
            case .timedOut: .timedOut
            case .tls(let failure): URLError.Code(failure)
            case .protocolViolation: .badServerResponse
            case .undecodable: .cannotDecodeContentData
            case .bodyTooLarge, .headersTooLarge: .dataLengthExceedsMaximum
            case .tooManyRedirects: .httpTooManyRedirects
            case .insecureRedirect: .appTransportSecurityRequiresSecureConnection
            case .connectionLost, .outcomeUnknown: .networkConnectionLost
            case .cancelled: .cancelled
            case .badURL: .badURL
            case .bodySource: .requestBodyStreamExhausted
            case .file: .cannotOpenFile
            case .bodyConsumer: .cannotWriteToFile
            case .badRequest, .unsupported, .outOfMemory: .unknown
            }
    }

    private init(_ failure: TransportError.TLSFailure) {
        self =
            switch failure {
            case .untrusted, .wrongHost, .pinned: .serverCertificateUntrusted
            case .expired: .serverCertificateHasBadDate
            case .localCertificate: .clientCertificateRejected
            case .handshake: .secureConnectionFailed
            }
    }
}
#endif
