public import Foundation
import Isolation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
#if os(Linux) || os(Android)
import CurlTransport
#endif

/// The texts of Siesta that users may see. An app can replace or translate them.
///
/// Change the properties of ``current`` before the first request, because each error takes its message from ``current``
/// when the error occurs.
///
///     UserMessages.current.requestFailed = "Échec de la requête"
public struct UserMessages: Sendable {
    /// The message if a request failed, and no other message fits better.
    public var requestFailed = "Request failed"
    /// The message if the resource's URL is not valid.
    public var invalidURL = "Cannot send request with invalid URL"
    /// The message if the request cannot be built or sent, for example because its body cannot be encoded.
    public var cannotSendRequest = "Cannot send request"
    /// The message if the request was cancelled.
    public var requestCancelled = "Request cancelled"
    /// The message if there is no data, for example if a download has no content, or if the server responded with 304
    /// (not modified) and the resource has no data.
    public var noLocalData = "No data available"
    /// The message if the request was not sent, because its server is down or has asked the client to wait.
    public var serverUnavailable = "The server is busy or not available now."
    /// The message if the user must sign in again, because the credential has expired or was refused.
    public var sessionExpired = "Please sign in again."
    /// The message if the credential of the user could not be refreshed, for example because there is no network.
    public var cannotRefreshCredential = "Your sign-in could not be renewed. Please try again."
    /// The message if the user cannot sign in, because the credential could not be saved for the next launch.
    public var cannotSaveCredential = "Your sign-in could not be saved on this device."
    /// The message if a load was redirected, but the redirect was not followed.
    public var redirectNotFollowed = "The server redirected the request to an address that cannot be loaded."
    /// The message if a transformer failed.
    public var cannotParseResponse = "Cannot parse server response"
    /// The message if a text response could not be decoded.
    public var cannotParseText = "Cannot parse text response"
    /// The message if an image could not be decoded.
    public var cannotParseImage = "Cannot decode image"

    /// The message if the body of a request could not be read from its file or sequence.
    public var unreadableBody = "The data of the request could not be read."
    /// The message if a download does not fit on disk.
    public var diskFull = "There is no room left on the disk."
    /// The message if the folder for a download is missing.
    public var folderMissing = "The folder for the file does not exist."
    /// The message if the system does not allow writing to the file or the folder of a download.
    public var writingForbidden = "This app may not write to the folder of the file."
    /// The message if the file of a download could not be written for another reason.
    public var cannotWriteFile = "The file could not be written."

    /// The message if no connection was established within the time limit.
    public var connectingTimedOut = "The server could not be reached in time."
    /// The message if the server started to send its response and then stopped, or sent a download in too many small
    /// parts.
    public var responseStalled = "The server stopped sending before the response was complete."
    /// The message if the connection was lost before the response arrived, and the request must not be sent twice. The
    /// server may have carried out the request.
    public var outcomeUnknown =
        "The connection was lost before the server responded. The server may have carried out the request."
    /// The message if the request has taken too long, including all its attempts and waits.
    public var timeLimitExceeded = "The request took too long."
    /// The message if the server's certificate is for another host.
    public var wrongHost = "The server’s certificate is for another address."
    /// The message if the proxy refused the request.
    public var proxyFailed = "The proxy did not let the request through."

    /// A closure that returns the message for a network failure that has no message of its own in this type. If the
    /// closure returns nil, the description of the error is the message.
    public var networkFailure: @Sendable (URLError.Code) -> String? = englishNetworkFailure

    /// A closure that returns the message for an HTTP status code of 400 or more. In the default messages, only the
    /// first letter and acronyms are in upper case: "Not found", "HTTP version not supported".
    public var statusPhrase: @Sendable (_ statusCode: Int) -> String = { statusCode in
        StatusPhrase.sentence(HTTPURLResponse.localizedString(forStatusCode: statusCode))
    }

    /// Creates messages with the English texts.
    public init() {}

    /// The messages that the library uses. This property may be read and set on any thread.
    public static var current: UserMessages {
        get { shared.withLock { $0 } }
        // The old table is released outside the lock, because its release may run code of the app.
        set { _ = shared.withLock { exchange(&$0, with: newValue) } }
    }

    private static let shared = Locked(UserMessages())

    func message(cause: (any Error)?, statusCode: Int?) -> String {
        if let cause { return message(for: cause) }
        return statusCode.map(statusPhrase) ?? requestFailed
    }

    /// Returns the message for a failure for which `URLError` has no code.
    private func preciseMessage(for error: NSError) -> String? {
        #if os(Linux) || os(Android)
        switch (error.userInfo[NSUnderlyingErrorKey] as? TransportError)?.kind {
        case .timedOut(while: .connecting): return connectingTimedOut
        case .timedOut(while: .reading): return responseStalled
        case .outcomeUnknown: return outcomeUnknown
        case .tls(.wrongHost): return wrongHost
        case .proxy: return proxyFailed
        case .badRequest, .unsupported: return cannotSendRequest
        default: break
        }
        #endif
        return nil
    }

    /// Uses the description in the error's user info, if any. On Linux, the generated description of other errors is
    /// not understandable.
    private func message(for cause: any Error) -> String {
        let error = cause as NSError
        guard error.domain == NSURLErrorDomain, error.userInfo[NSLocalizedDescriptionKey] == nil else {
            return PreparedText.words(cause.localizedDescription)
        }
        if let words = preciseMessage(for: error) { return words }
        return URLError.Code(rawValue: error.code).flatMap(networkFailure)
            ?? PreparedText.words(cause.localizedDescription)
    }
}

private let englishNetworkFailure: @Sendable (URLError.Code) -> String? = { code in
    switch code {
    case .notConnectedToInternet: "There is no network connection."
    case .timedOut: "The server took too long to respond."
    case .cannotFindHost, .dnsLookupFailed: "The server’s name could not be found."
    case .cannotConnectToHost: "Could not connect to the server."
    case .networkConnectionLost: "The connection to the server was lost before the response was complete."
    case .secureConnectionFailed: "A secure connection to the server could not be established."
    case .serverCertificateUntrusted, .serverCertificateHasUnknownRoot: "The server’s identity could not be verified."
    case .serverCertificateHasBadDate, .serverCertificateNotYetValid: "The server’s certificate is not valid now."
    case .httpTooManyRedirects: "The server redirected the request too many times."
    case .appTransportSecurityRequiresSecureConnection:
        "The address, or one that the server redirected to, is not secure."
    case .dataLengthExceedsMaximum: "The response of the server is too large."
    case .clientCertificateRejected, .clientCertificateRequired:
        "The client certificate of this app cannot be used."
    case .badServerResponse, .cannotParseResponse, .zeroByteResource, .cannotDecodeRawData, .cannotDecodeContentData:
        "The response of the server could not be understood."
    case .badURL, .unsupportedURL: "This address cannot be loaded."
    case .userAuthenticationRequired, .userCancelledAuthentication: "The server requires a login."
    case .cancelled: "Request cancelled"
    case .unknown: "The connection failed, or the response of the server could not be understood."
    default: nil
    }
}
