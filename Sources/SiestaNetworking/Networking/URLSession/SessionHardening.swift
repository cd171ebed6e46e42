import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLSessionConfiguration {
    /// Returns an independent copy.
    func copied() -> URLSessionConfiguration {
        guard let copy = copy() as? URLSessionConfiguration else {
            preconditionFailure("A copy of a session configuration is a session configuration")
        }
        return copy
    }

    /// Returns a copy for a session whose requests use the ``RequestDefaults``. The copy has no URL cache: that cache does
    /// not distinguish users, and would answer loads that must reach the server. On Linux, the copy also lacks the settings
    /// that cause defects.
    func hardened() -> URLSessionConfiguration {
        let result = copied()
        result.httpAdditionalHeaders = nil
        result.urlCache = nil
        #if os(Linux) || os(Android)
        let ownProtocols = result.appProtocols
        result.protocolClasses = result.protocolClasses?.filter { type in !ownProtocols.contains { $0 == type } }
        result.httpCookieStorage = nil
        result.httpCookieAcceptPolicy = .never
        result.httpShouldSetCookies = false
        result.urlCredentialStorage = nil
        result.timeoutIntervalForRequest = result.timeoutIntervalForRequest.inWholeSeconds
        #endif
        return result
    }
}

extension URLRequest {
    /// Returns the request in a form that `URLSession` carries out correctly.
    func hardened() -> URLRequest {
        #if os(Linux) || os(Android)
        var result = self
        if timeoutInterval != timeoutInterval.inWholeSeconds {  // it overrides the session's time-out
            result.timeoutInterval = timeoutInterval.inWholeSeconds
        }
        if httpBodyStream != nil {  // a stream is always sent chunked, where a length is forbidden
            result.setValue(nil, forHTTPHeaderField: "Content-Length")
        }
        return result
        #else
        return self
        #endif
    }
}

#if os(Linux) || os(Android)
extension URLSessionConfiguration {
    /// The protocol classes that do not belong to `URLSession`. ``ProtocolLoad`` runs them.
    var appProtocols: [URLProtocol.Type] {
        (protocolClasses ?? []).compactMap { $0 as? URLProtocol.Type }
            .filter { !String(reflecting: $0).hasPrefix("FoundationNetworking.") }
    }
}
#endif

#if os(Linux) || os(Android)
extension TimeInterval {
    /// The time-out rounded up to whole seconds. `URLSession` ignores fractions, so that a time-out of 0.9 seconds
    /// would end at once, and traps on infinity.
    fileprivate var inWholeSeconds: TimeInterval {
        isNaN ? 60 : min(max(1, rounded(.up)), 100_000_000)
    }
}
#endif
