package import Foundation

/// Numbers and times as people read them. Pure.
package enum Words {
    /// An age in seconds as in `12 s ago`.
    package static func age(_ seconds: TimeInterval) -> String {
        switch seconds {
        case ..<2: "just now"
        case ..<60: "\(Int(seconds)) s ago"
        case ..<3_600: "\(Int(seconds / 60)) min ago"
        case ..<86_400: "\(Int(seconds / 3_600)) h ago"
        default: "\(Int(min(seconds, 1e12) / 86_400)) d ago"
        }
    }

    /// A duration as in `12 ms`.
    package static func duration(_ seconds: TimeInterval) -> String {
        let milliseconds = Int(max(0, min(seconds, 1e6)) * 1_000)
        return milliseconds < 1_000 ? "\(milliseconds) ms" : "\(milliseconds / 1_000).\(milliseconds % 1_000 / 100) s"
    }

    /// A time until something happens, as in `12 s`, `2:05` or `1:00:00`. It is rounded up, so that it ends with `1 s`.
    package static func countdown(_ seconds: TimeInterval) -> String {
        let total = Int(max(0, min(seconds, 1e6) - 0.01).rounded(.up))  // Clocks differ by less than 0.01 s.
        guard total >= 60 else { return "\(total) s" }
        let (hours, minutes) = (total / 3_600, total / 60 % 60)
        return (hours > 0 ? "\(hours):\(twoDigits(minutes))" : "\(minutes)") + ":" + twoDigits(total % 60)
    }

    private static func twoDigits(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }

    /// A number with groups of three digits, as in `18,402`.
    package static func count(_ number: Int) -> String {
        var digits = Array(String(number.magnitude))
        for index in stride(from: digits.count - 3, to: 0, by: -3) { digits.insert(",", at: index) }
        return (number < 0 ? "-" : "") + String(digits)
    }

    /// A number and what it counts, as in `1 fork` and `2 forks`.
    package static func count(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
        "\(count(number)) \(number == 1 ? singular : plural ?? singular + "s")"
    }
}
