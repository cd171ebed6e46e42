import Foundation

/// The number of repetitions of a long test, and the output of its figures.
public enum Soak: Sendable {
    /// True if `SOAK` is in the environment. `make soak` sets it.
    public static let isOn = ProcessInfo.processInfo.environment["SOAK"] != nil

    /// Returns one of two numbers, depending on ``isOn``.
    public static func count(_ small: Int, full: Int) -> Int { isOn ? full : small }

    /// Writes figures to the output of this process, for the process that started it.
    public static func report(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }
}
