#if canImport(FoundationNetworking)
import FoundationNetworking
#else
import Foundation
#endif

/// What identifies a version of a resource: its entity tag, else its date of modification (RFC 9110 §8.8).
struct Validator: Equatable, Sendable {
    private enum Kind { case entityTag, lastModified }

    private let kind: Kind
    private let value: String

    /// Nil if there is neither.
    ///
    /// - Parameter field: the value of a header, by its name in lower case.
    init?(field: (String) -> String?) {
        if let tag = field("etag") {
            (kind, value) = (.entityTag, tag)
        } else if let date = field("last-modified") {
            (kind, value) = (.lastModified, date)
        } else {
            return nil
        }
    }

    func add(to request: inout URLRequest) {
        switch kind {
        case .entityTag: request.setValue(value, forHTTPHeaderField: "If-None-Match")
        case .lastModified: request.setValue(value, forHTTPHeaderField: "If-Modified-Since")
        }
    }
}

extension Entity {
    var validator: Validator? { Validator { headerFields[$0] } }
}
