import Foundation
import HTTPRules

extension RequestError {
    /// Makes the error hold back further loads for the lifetime of its response, if the response names one and it is longer
    /// than `retryTime`.
    ///
    /// The time is a millisecond shorter than the lifetime, because a response is no longer fresh when its lifetime is over
    /// (RFC 9111 §4.2).
    mutating func holdBack(beyond retryTime: TimeInterval) {
        guard let lifetime = entity?.cachingInfo?.lifetime, lifetime.holdsLoadsBack else { return }
        additionalRetryTime = max(additionalRetryTime, lifetime.initialFreshness - 0.001 - max(0, retryTime))
    }
}

extension ResponseInfo {
    /// True for a success whose lifetime follows from the rules of HTTP.
    var followsHTTP: Bool {
        if case .success(let entity) = response { entity.cachingInfo != nil } else { false }
    }

    /// Returns the same response without a lifetime by the rules of HTTP.
    func withoutCachingInfo() -> ResponseInfo {
        guard case .success(let entity) = response else { return self }
        var info = self
        info.response = .success(entity.withoutCachingInfo)
        return info
    }
}
