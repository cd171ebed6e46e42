import Foundation

/// How often a long test repeats what it does, and what it tells about that.
public enum Soak: Sendable {
    /// `SOAK` in the environment, which `make soak` sets.
    public static let isOn = ProcessInfo.processInfo.environment["SOAK"] != nil

    /// One number or the other.
    public static func count(_ small: Int, full: Int) -> Int { isOn ? full : small }

    /// Writes figures, for whoever started the process.
    public static func report(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }
}
