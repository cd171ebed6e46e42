import HTTPRules
import SiestaCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#else
import Foundation
#endif

extension Outbox {
    /// The conditions of a write (RFC 9110 §13.1). A field that is nil is not sent.
    package struct Condition: Hashable, Sendable {
        /// The value of `If-Match`.
        package var ifMatch: String?
        /// The value of `If-Unmodified-Since`.
        package var ifUnmodifiedSince: String?
        /// The value of `If-None-Match`.
        package var ifNoneMatch: String?

        /// Creates conditions. Without arguments, the write is unconditional.
        package init(ifMatch: String? = nil, ifUnmodifiedSince: String? = nil, ifNoneMatch: String? = nil) {
            (self.ifMatch, self.ifUnmodifiedSince, self.ifNoneMatch) = (ifMatch, ifUnmodifiedSince, ifNoneMatch)
        }

        private var exact: (ExactText?, ExactText?, ExactText?) {
            (ifMatch.map(ExactText.init), ifUnmodifiedSince.map(ExactText.init), ifNoneMatch.map(ExactText.init))
        }

        /// Compares bytes, because entity tags of different versions can be equal as Swift strings.
        package static func == (left: Self, right: Self) -> Bool { left.exact == right.exact }

        /// Hashes the bytes of the values.
        package func hash(into hasher: inout Hasher) {
            let (match, since, noMatch) = exact
            for text in [match, since, noMatch] { hasher.combine(text) }
        }
    }
}

extension Outbox.Condition {
    /// True if the condition names a version of the resource.
    var namesVersion: Bool { self != .present && (ifMatch != nil || ifUnmodifiedSince != nil) }

    /// The condition that the data is still the version of `basis`; nil if the version has no identifier that such a
    /// condition can name.
    ///
    /// A weak entity tag never matches in `If-Match` (RFC 9110 §13.1.1).
    init?(unchanged basis: Entity<Any>?) {
        guard let basis else { return nil }
        if let tag = basis.etag, Validator.isStrong(tag) {
            self.init(ifMatch: tag)
        } else if let date = basis.header(forKey: "Last-Modified"), Validator.isSendable(date) {
            self.init(ifUnmodifiedSince: date)
        } else {
            return nil
        }
    }

    /// No condition.
    static let unconditional = Outbox.Condition()
    /// The condition that the resource does not exist.
    static let absent = Outbox.Condition(ifNoneMatch: "*")
    /// The condition that the resource exists.
    static let present = Outbox.Condition(ifMatch: "*")

    /// The header fields, by their names.
    var fields: [String: String] {
        var fields: [String: String] = [:]
        fields["If-Match"] = ifMatch
        fields["If-Unmodified-Since"] = ifUnmodifiedSince
        fields["If-None-Match"] = ifNoneMatch
        return fields
    }

    /// Reads header fields, whose names are case-insensitive.
    init(fields: [String: String]) {
        let fields = Dictionary(fields.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
        self.init(
            ifMatch: fields["if-match"], ifUnmodifiedSince: fields["if-unmodified-since"],
            ifNoneMatch: fields["if-none-match"])
    }

    func add(to request: inout URLRequest) {
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
    }
}
