import Foundation

/// How often a long test repeats what it does, and what it tells about that.
enum Soak {
    /// `SOAK` in the environment, which `make soak` sets.
    static let isOn = ProcessInfo.processInfo.environment["SOAK"] != nil

    static func count(_ small: Int, full: Int) -> Int { isOn ? full : small }

    /// Writes figures, for whoever started the process.
    static func report(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }
}
