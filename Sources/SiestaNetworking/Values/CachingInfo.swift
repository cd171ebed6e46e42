package import Foundation
package import HTTPRules

/// The facts about the response from which an entity comes that the rules of HTTP caching need (RFC 9111).
///
/// Only entities of resources whose freshness follows HTTP have caching info. It never changes: a confirmation by the
/// server produces new caching info.
@usableFromInline
package final class CachingInfo: Sendable {
    /// The lifetime of the response, its age when it was received, and the times for which it may be used stale.
    package let lifetime: ResponseLifetime
    /// The times at which the request was sent and the response was received, as wall time in seconds since the
    /// reference date.
    package let requestTime: TimeInterval
    package let responseTime: TimeInterval
    /// The time for which the redirects that led to the response may be used again, in seconds after the response; nil
    /// if there was no redirect with such a limit.
    package let redirectLimit: UInt32?
    /// True if one of these redirects must not be used when it is stale (RFC 9111 §4.2.4).
    package let redirectsForbidStale: Bool
    /// True if the request contained `no-store` (RFC 9111 §5.2.1.5).
    package let forbidsStoring: Bool
    /// The names of the fields that need a confirmation of the server before each use, in lower case (RFC 9111 §5.2.2.4).
    package let unconfirmedFields: [String]
    /// The rules by which requests select the response; nil if the response has no `Vary`.
    package let variant: Variant?

    /// The request fields that select one of several responses (RFC 9111 §4.1).
    package struct Variant: Sendable {
        package let vary: VaryField
        /// The values of the fields in the request, with names in lower case.
        let values: [String: String]
        /// The number of the configuration from which the request was made; see ``ConfigurationSet/Resolved/number``.
        /// `UInt64.max` if the request may have other headers.
        package let configuration: UInt64

        package init?(_ response: HeaderFields, request: HeaderFields, configuration: UInt64) {
            guard let field = response["vary"] else { return nil }
            vary = VaryField(field)
            values = vary.selectingFields(of: request)
            // The cookies can change while the configuration stays the same.
            self.configuration = vary.names.contains("cookie") ? .max : configuration
        }

        /// Returns true if a request with these fields selects the response.
        package func selects(_ request: HeaderFields) -> Bool { vary.matches(stored: values, new: request) }
    }

    package init(
        _ lifetime: ResponseLifetime, requestTime: TimeInterval, responseTime: TimeInterval, redirectLimit: UInt32?,
        redirectsForbidStale: Bool = false, forbidsStoring: Bool = false, response: HeaderFields? = nil,
        variant: Variant?
    ) {
        unconfirmedFields = response.map { CacheControl($0["cache-control"]).noCacheFields } ?? []
        (self.redirectsForbidStale, self.forbidsStoring) = (redirectsForbidStale, forbidsStoring)
        (self.lifetime, self.redirectLimit, self.variant) = (lifetime, redirectLimit, variant)
        (self.requestTime, self.responseTime) = (requestTime, responseTime)
    }

    /// Creates the caching info of an entity from a cache. The lifetime is computed when a resource receives the entity,
    /// because the configuration has a part in it.
    package convenience init(
        requestTime: TimeInterval, responseTime: TimeInterval, redirectLimit: UInt32?,
        redirectsForbidStale: Bool = false
    ) {
        var lifetime = ResponseLifetime(status: 0)
        lifetime.isStorable = true  // A cache has stored the entity.
        self.init(
            lifetime, requestTime: requestTime, responseTime: responseTime, redirectLimit: redirectLimit,
            redirectsForbidStale: redirectsForbidStale, variant: nil)
    }
}
