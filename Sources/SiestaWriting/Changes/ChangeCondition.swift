import HTTPRules
import SiestaCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#else
import Foundation
#endif

/// The header field with the condition of a change (RFC 9110 §13.1). Pure.
struct ChangeCondition: Equatable {
    let field: String
    let value: String

    /// The condition that the data is still the version of `basis`; nil if the version has no identifier that such a
    /// condition can name.
    ///
    /// A weak entity tag never matches in `If-Match` (RFC 9110 §13.1.1).
    init?(unchanged basis: Entity<Any>?) {
        guard let basis else { return nil }
        if let tag = basis.etag, Validator.isStrong(tag) {
            (field, value) = ("If-Match", tag)
        } else if let date = basis.header(forKey: "Last-Modified"), Validator.isSendable(date) {
            (field, value) = ("If-Unmodified-Since", date)
        } else {
            return nil
        }
    }

    init(_ field: String, _ value: String) {
        (self.field, self.value) = (field, value)
    }

    /// The condition that the resource does not exist.
    static let absent = ChangeCondition("If-None-Match", "*")
    /// The condition that the resource exists.
    static let present = ChangeCondition("If-Match", "*")

    /// Compares bytes: entity tags that are equal as strings can be those of two versions.
    static func == (left: Self, right: Self) -> Bool {
        left.field == right.field && left.value.hasSameBytes(as: right.value)
    }

    func add(to request: inout URLRequest) {
        request.setValue(value, forHTTPHeaderField: field)
    }
}
