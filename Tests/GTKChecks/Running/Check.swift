#if GTK
import Foundation

/// A named check. It runs on the main actor, inside GLib's main loop.
struct Check: Sendable {
    let name: String
    /// The time after which the check has failed, in seconds.
    let timeLimit: Int
    let body: @MainActor () async throws -> Void

    init(_ name: String, timeLimit: Int = 60, _ body: @escaping @MainActor () async throws -> Void) {
        (self.name, self.timeLimit, self.body) = (name, timeLimit, body)
    }

    @MainActor static let all: [Check] =
        samples + bridge + objects + status + images + progress + lists + scrolling + leaks + lifetimes
}

/// An expectation that does not hold.
struct Failure: Error, CustomStringConvertible {
    let description: String
}

/// Throws if a condition does not hold.
func expect(
    _ condition: Bool, _ message: @autoclosure () -> String = "", file: StaticString = #fileID, line: UInt = #line
) throws {
    if !condition { throw Failure(description: "\(file):\(line): \(message())") }
}

/// Throws if two values differ.
func expectEqual<Value: Equatable>(
    _ found: Value, _ expected: Value, file: StaticString = #fileID, line: UInt = #line
) throws {
    try expect(found == expected, "\(found) instead of \(expected)", file: file, line: line)
}

/// Prints a line at once, also into a pipe.
func say(_ line: String) {
    print(line)
    fflush(nil)
}

/// Prints a measured value as a part of the results of the current check.
func report(_ text: String) { say("    \(text)") }
#endif
