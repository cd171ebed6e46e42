/// The status codes that the caching rules know.
package enum CacheStatus {
    /// Returns true if responses with this status may have a heuristic lifetime (RFC 9110 §15.1).
    package static func isHeuristicallyCacheable(_ status: Int) -> Bool {
        switch status {
        case 200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501: true
        default: false
        }
    }

    /// Returns true if the cache understands the status and meets its requirements (RFC 9111 §3). Partial content is
    /// not stored, and a 304 only updates stored responses.
    package static func isUnderstood(_ status: Int) -> Bool {
        switch status {
        case 200...205, 300...303, 305, 307, 308, 400...417, 421, 422, 426, 451, 500...505: true
        default: false
        }
    }

    /// Returns true if no cache may store the status: interim responses (RFC 9111 §3) and those of RFC 6585.
    package static func forbidsStoring(_ status: Int) -> Bool {
        switch status {
        case 206, 304, 428, 429, 431, 511: true
        default: !(200...599).contains(status)
        }
    }

    /// Returns true if the response means that the server failed to respond (RFC 9111 §4.3.3, RFC 5861 §4).
    package static func isServerFailure(_ status: Int) -> Bool {
        switch status {
        case 500, 502, 503, 504: true
        default: false
        }
    }
}
