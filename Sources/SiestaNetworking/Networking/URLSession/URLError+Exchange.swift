import Foundation
import HTTPRules

extension URLError {
    /// Creates the error of a request to `url`. It names the origin, but not the URL, which may contain secrets.
    init(_ code: Code, at url: URL?) {
        self.init(code, userInfo: url.map { [Self.originName: URLOrigin($0).description] } ?? [:])
    }

    /// Returns the error of a failed task: an error of another domain unchanged, because it comes from a protocol class of
    /// the app; otherwise a `URLError` with a code that describes the failure.
    ///
    /// On Linux, `URLSession` has no codes for many kinds of failure, and uses wrong codes for others. There, the code
    /// is derived from the progress of the exchange and from libcurl's message. This message is meant for programmers,
    /// and becomes the debug description; ``UserMessages`` has the texts for users. The error does not contain the URL,
    /// because the URL may contain secrets, and an error prints its whole content. ``RequestError/requestURL`` contains
    /// the URL.
    static func of(_ error: any Error, failureOf url: URL?, afterResponse hasResponse: Bool) -> any Error {
        let bridged = error as NSError
        guard bridged.domain == NSURLErrorDomain else { return error }
        let given =
            error as? URLError ?? URLError(Code(rawValue: bridged.code) ?? .unknown, userInfo: bridged.userInfo)
        var details = given.userInfo
        for name in ["NSErrorFailingURLKey", "NSErrorFailingURLStringKey"] { details[name] = nil }
        details[originName] = url.map { URLOrigin($0).description }
        #if os(Linux) || os(Android)
        details["NSDebugDescription"] = details.removeValue(forKey: NSLocalizedDescriptionKey)
        return URLError(given.code(url, hasResponse), userInfo: details)
        #else
        return URLError(given.code, userInfo: details)
        #endif
    }

    #if os(Linux) || os(Android)
    private func code(_ url: URL?, _ hasResponse: Bool) -> Code {
        switch (code, url?.scheme?.lowercased()) {
        case (.unknown, "http"), (.unknown, "https"):
            if localizedDescription.contains("content unencoding") { return .cannotDecodeContentData }
            if hasResponse { return .networkConnectionLost }
            if localizedDescription.contains("certificate") { return .serverCertificateUntrusted }
            return localizedDescription.contains("SSL") ? .secureConnectionFailed : .badServerResponse
        case (.badServerResponse, _):
            return .networkConnectionLost  // its code for an empty response
        case (.unsupportedURL, "http"), (.unsupportedURL, "https"):
            return .badServerResponse  // its code for a response that is not HTTP
        case (let code, _):
            return code
        }
    }
    #endif
}
