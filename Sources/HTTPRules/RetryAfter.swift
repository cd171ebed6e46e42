package import Foundation
package enum RetryAfter { package static let limit: TimeInterval = 86400; package static func seconds(_ value: String?, date: String?, now: Date) -> TimeInterval? { value.flatMap { TimeInterval($0) } } }
package struct RateLimitFields { package init(_ field: (String) -> String?) {}; package func opening(now: Date) -> TimeInterval? { nil } }
