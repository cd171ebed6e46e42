import HTTPRules
import SiestaCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#else
import Foundation
#endif

extension Outbox {
    /// The conditions of a write (RFC 9110 §13.1). A field that is nil is not sent.
    public struct Condition: Hashable, Sendable {
        /// The value of `If-Match`.
        public var ifMatch: String?
        /// The value of `If-Unmodified-Since`.
        public var ifUnmodifiedSince: String?
        /// The value of `If-None-Match`.
        public var ifNoneMatch: String?

        /// Creates conditions. Without arguments, the write is unconditional.
        public init(ifMatch: String? = nil, ifUnmodifiedSince: String? = nil, ifNoneMatch: String? = nil) {
            (self.ifMatch, self.ifUnmodifiedSince, self.ifNoneMatch) = (ifMatch, ifUnmodifiedSince, ifNoneMatch)
        }

        private var exact: (ExactText?, ExactText?, ExactText?) {
            (ifMatch.map(ExactText.init), ifUnmodifiedSince.map(ExactText.init), ifNoneMatch.map(ExactText.init))
        }

        /// Compares bytes, because entity tags of different versions can be equal as Swift strings.
        public static func == (left: Self, right: Self) -> Bool { left.exact == right.exact }

        /// Hashes the bytes of the values.
        public func hash(into hasher: inout Hasher) {
            let (match, since, noMatch) = exact
            for text in [match, since, noMatch] { hasher.combine(text) }
        }
    }
}

extension Outbox.Condition {
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

    func add(to request: inout URLRequest) {
        if let ifMatch { request.setValue(ifMatch, forHTTPHeaderField: "If-Match") }
        if let ifUnmodifiedSince { request.setValue(ifUnmodifiedSince, forHTTPHeaderField: "If-Unmodified-Since") }
        if let ifNoneMatch { request.setValue(ifNoneMatch, forHTTPHeaderField: "If-None-Match") }
    }
}
