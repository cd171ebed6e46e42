/// The properties of request methods. Names are case-sensitive (RFC 9110 §9.1).
package enum HTTPMethods {
    /// Returns true if the method asks for no change (RFC 9110 §9.2.1): the safe methods of the IANA registry.
    package static func isSafe(_ method: String) -> Bool {
        switch method {
        case "GET", "HEAD", "OPTIONS", "TRACE", "QUERY", "PROPFIND", "REPORT", "SEARCH", "PRI": true
        default: false
        }
    }

    /// Returns true if several equal requests have the effect of one (RFC 9110 §9.2.2): safe methods, PUT and DELETE.
    package static func isIdempotent(_ method: String) -> Bool {
        method == "PUT" || method == "DELETE" || isSafe(method)
    }
}
