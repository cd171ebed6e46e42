/// Kinds of status codes (RFC 9110 §15).
package enum HTTPStatus {
    /// The codes of failures that may be over soon: another attempt can succeed without a change of the request.
    package static let transient: Set<Int> = [408, 425, 429, 500, 502, 503, 504]
}
