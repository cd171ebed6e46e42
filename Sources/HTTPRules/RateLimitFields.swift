package import Foundation

/// The fields with which a server tells how many requests a client may still send, in all common forms. Pure.
///
/// The first of these forms that is valid decides:
///
/// 1. `RateLimit: "default";r=0;t=30`, the current draft (draft-ietf-httpapi-ratelimit-headers-10). A window without `t`
///    ends after the `w` of the policy of the same name: `RateLimit-Policy: "default";q=100;w=60`.
/// 2. `RateLimit: limit=100, remaining=0, reset=50`, an older draft.
/// 3. `RateLimit-Remaining` and `RateLimit-Reset`, the third draft.
/// 4. `X-RateLimit-Remaining` and `X-RateLimit-Reset`, also spelled `X-Rate-Limit-…`. No standard defines them.
///
/// An invalid form counts as missing, and never as a limit. So does a form that says that no requests are left, but not
/// for how long.
package struct RateLimitFields: Sendable {
    private let rateLimit: String?
    private let policy: String?
    private let pairs: [Pair]
    private let date: String?

    private struct Pair {
        let remaining: String?
        let reset: String?
        let allowsFractions: Bool
    }

    /// The names in full, because composing them for each response would allocate.
    private static let names = [
        (remaining: "ratelimit-remaining", reset: "ratelimit-reset", allowsFractions: false),
        (remaining: "x-ratelimit-remaining", reset: "x-ratelimit-reset", allowsFractions: true),
        (remaining: "x-rate-limit-remaining", reset: "x-rate-limit-reset", allowsFractions: true),
    ]

    private enum Window {
        case open
        case closed(TimeInterval)
    }

    /// Reads the fields of a response. `field` returns the value of a field; the names are in lower case.
    package init(_ field: (String) -> String?) {
        rateLimit = field("ratelimit")
        policy = field("ratelimit-policy")
        pairs = Self.names.map {
            Pair(remaining: field($0.remaining), reset: field($0.reset), allowsFractions: $0.allowsFractions)
        }
        date = field("date")
    }

    /// Returns the number of seconds until the server accepts requests again, at least 0 and at most
    /// ``RetryAfter/limit``. Returns nil if the response does not say that the quota is used up.
    package func opening(now: Date) -> TimeInterval? {
        let window = list ?? dictionary ?? pairs.lazy.compactMap { self.window($0, now: now) }.first
        guard case .closed(let seconds) = window else { return nil }
        return RetryAfter.clamped(seconds)
    }

    /// The form of the current draft. If several policies are used up, the longest wait counts. Items without a name or
    /// with invalid parameters are ignored.
    private var list: Window? {
        guard let items = rateLimit.flatMap(Self.items) else { return nil }
        var windows: [String: Int]?
        var waits: [Int] = []
        var (hasOpen, hasUnknown) = (false, false)
        for item in items {
            guard case .string(let name) = item.value, let remaining = item.count("r") else { continue }
            let time = item.parameters["t"]
            if let time, time.count == nil { continue }
            if remaining > 0 {
                hasOpen = true
                continue
            }
            windows = windows ?? policyWindows
            guard let wait = time?.count ?? windows?[name] else {
                hasUnknown = true
                continue
            }
            waits.append(wait)
        }
        if let longest = waits.max() { return .closed(TimeInterval(longest)) }
        return hasOpen && !hasUnknown ? .open : nil
    }

    /// The lengths of the windows in `RateLimit-Policy`, by name. If a name is repeated, the longest window counts.
    private var policyWindows: [String: Int] {
        let items = policy.flatMap(Self.items) ?? []
        let windows = items.compactMap { item -> (String, Int)? in
            guard case .string(let name) = item.value, let window = item.count("w") else { return nil }
            return (name, window)
        }
        return Dictionary(windows, uniquingKeysWith: max)
    }

    /// Returns the items of a list; nil if the text is not a list, or a member is an inner list.
    private static func items(_ text: String) -> [StructuredField.Item]? {
        guard let members = StructuredField.list(text, limit: ByteCursor.limit) else { return nil }
        let items = members.compactMap(\.item)
        return items.count == members.count ? items : nil
    }

    private var dictionary: Window? {
        guard let members = rateLimit.flatMap({ StructuredField.dictionary($0, limit: ByteCursor.limit) }),
            let remaining = members["remaining"]?.item?.value.count
        else { return nil }
        guard remaining == 0 else { return .open }
        return (members["reset"]?.item?.value.count).map { .closed(TimeInterval($0)) }
    }

    private func window(_ pair: Pair, now: Date) -> Window? {
        guard let remaining = Self.number(pair.remaining, allowsFractions: pair.allowsFractions) else { return nil }
        guard remaining == 0 else { return .open }
        guard let reset = Self.number(pair.reset, allowsFractions: pair.allowsFractions) else { return nil }
        return .closed(delay(reset, now: now))
    }

    /// Returns the seconds until a reset. Large numbers are Unix times in seconds or milliseconds: as delays, they would
    /// be more than 31 years. GitLab sends such a time in `RateLimit-Reset`, GitHub in `X-RateLimit-Reset`.
    private func delay(_ reset: Double, now: Date) -> TimeInterval {
        guard reset > 1e9 else { return reset }
        let time = reset > 1e12 ? reset / 1000 : reset
        return time - RetryAfter.serverDate(date, now: now).timeIntervalSince1970
    }

    /// Parses a number such as `12`, and `12.5` if fractions are allowed. Signs and exponents are invalid.
    private static func number(_ text: String?, allowsFractions: Bool) -> Double? {
        guard let text, var cursor = ByteCursor(text) else { return nil }
        cursor.skipSpaces()
        var digits = cursor.take(while: \.isASCIIDigit)
        guard !digits.isEmpty else { return nil }
        if allowsFractions, cursor.skip(".") {
            let fraction = cursor.take(while: \.isASCIIDigit)
            guard !fraction.isEmpty else { return nil }
            digits += [UInt8(ascii: ".")] + fraction
        }
        cursor.skipSpaces()
        return cursor.isAtEnd ? Double(String(decoding: digits, as: UTF8.self)) : nil
    }
}
