#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Whether colours are sent to the terminal. Attributes such as inverse always are.
public enum ColorMode: Hashable, Sendable {
    /// The sixteen colours.
    case sixteen
    /// No colour at all.
    case monochrome

    /// Decides by the value of the variable `NO_COLOR`: any but the empty one turns colours off (https://no-color.org).
    public init(noColor: String?) {
        self = (noColor ?? "").isEmpty ? .sixteen : .monochrome
    }

    /// What the environment of this process asks for.
    public static var fromEnvironment: ColorMode {
        ColorMode(noColor: getenv("NO_COLOR").map { String(cString: $0) })
    }
}
