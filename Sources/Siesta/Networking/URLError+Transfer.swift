import Foundation

extension URLError {
    /// The error that a failed task means, with a code that says what happened.
    ///
    /// On Linux `URLSession` has no code of its own for many kinds of failure, and wrong ones for some: there the code
    /// is derived from how far the transfer came, and from libcurl's words for the rest. Those words are for
    /// programmers: they become the debug description, and ``UserMessages`` says it to people. The URL, which may have
    /// secrets in it, is left out since an error prints all that it has: ``RequestError/requestURL`` tells it.
    init(failureOf url: URL?, afterResponse hasResponse: Bool, _ error: any Error) {
        let given = error as? URLError ?? URLError(.unknown, userInfo: [NSUnderlyingErrorKey: error])
        #if os(Linux)
        var details = given.userInfo
        details["NSDebugDescription"] = details.removeValue(forKey: NSLocalizedDescriptionKey)
        for name in ["NSErrorFailingURLKey", "NSErrorFailingURLStringKey"] { details[name] = nil }
        self.init(given.code(url, hasResponse), userInfo: details)
        #else
        self = given
        #endif
    }

    #if os(Linux)
    private func code(_ url: URL?, _ hasResponse: Bool) -> Code {
        switch (code, url?.scheme?.lowercased()) {
        case (.unknown, "http"), (.unknown, "https"):
            if localizedDescription.contains("content unencoding") { return .cannotDecodeContentData }
            if hasResponse { return .networkConnectionLost }
            if localizedDescription.contains("certificate") { return .serverCertificateUntrusted }
            return localizedDescription.contains("SSL") ? .secureConnectionFailed : .badServerResponse
        case (.badServerResponse, _):
            return .networkConnectionLost  // what it gets for an empty answer
        case (.unsupportedURL, "http"), (.unsupportedURL, "https"):
            return .badServerResponse  // what it gets for an answer that is not HTTP
        case (let code, _):
            return code
        }
    }
    #endif
}
