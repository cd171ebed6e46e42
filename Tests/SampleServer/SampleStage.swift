import Isolation
import Waiting

/// The running sample: its server, and the lines that it has printed. A test target has one stage, and runs its samples
/// one after another.
package final class SampleStage: Sendable {
    private struct State: Sendable {
        var server: SampleServer?
        var printed: [String] = []
        var typed: [String] = []
    }

    private let state = Locked(State())

    package init() {}

    /// Starts the server of the next sample, and forgets the lines of the last sample.
    package func newServer() -> SampleServer {
        guard let server = try? SampleServer() else { preconditionFailure("No server can be started") }
        state.withLock { $0 = State(server: server) }
        return server
    }

    /// The server of the running sample.
    package var server: SampleServer {
        guard let server = state.withLock({ $0.server }) else { preconditionFailure("The sample has no server") }
        return server
    }

    /// The printed lines, in order.
    package var printed: [String] { state.withLock { $0.printed } }

    /// Adds a line to ``printed``.
    package func print(_ line: String) {
        state.withLock { $0.printed.append(line) }
    }

    /// Lets a person type lines, and then the end of the input.
    package func type(_ lines: String...) {
        state.withLock { $0.typed = lines }
    }

    /// Returns the next typed line; nil at the end of the input.
    package func readLine() -> String? {
        state.withLock { $0.typed.isEmpty ? nil : $0.typed.removeFirst() }
    }

    /// Waits until a line is printed that begins with `text`.
    package func hasPrinted(_ text: String) async throws {
        try await Poll.until { printed.contains { $0.hasPrefix(text) } }
    }
}
