import Foundation
import SiestaTesting
import TestDoubles

extension RetryModel {
    enum Answer: CaseIterable {
        case success, notFound, unavailable, unavailableFor3, tooManyFor8, unavailableForDays, refused, lost, usedUpFor5

        var stub: StubAnswer {
            switch self {
            case .success: .text("a")
            case .notFound: .response(404)
            case .unavailable: .response(503)
            case .unavailableFor3: .response(503, headers: ["Retry-After": "3"])
            case .tooManyFor8: .response(429, headers: ["Retry-After": "8"])
            case .unavailableForDays: .response(503, headers: ["Retry-After": "99999999999"])
            case .refused: .failure(.cannotConnectToHost)
            case .lost: .failure(.networkConnectionLost)
            case .usedUpFor5: .text("a", headers: ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "5"])
            }
        }

        /// The time for which the server asks to send nothing, in seconds.
        var retryAfter: TimeInterval {
            switch self {
            case .unavailableFor3: 3
            case .tooManyFor8: 8
            case .unavailableForDays: 86_400
            default: 0
            }
        }

        /// The time for which the server wants no request at all, in seconds.
        var closing: TimeInterval { self == .usedUpFor5 ? 5 : retryAfter }

        var isRetried: Bool { ![.success, .notFound, .usedUpFor5].contains(self) }
        var isConnectionError: Bool { self == .refused || self == .lost }

        /// True if the answer is a failure for a circuit breaker.
        var isFailure: Bool {
            [.unavailable, .unavailableFor3, .unavailableForDays].contains(self) || isConnectionError
        }
    }
}
