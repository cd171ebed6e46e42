import Dispatch
import Foundation

@testable import EmbeddedGitHub

/// Takes the place of time: a wait lasts until the test opens the gate, and the test can wait for it to begin and end.
final class Gate: Sendable {
    private let waits = Guarded<[TimeInterval]>([])
    private let endings = Guarded<[Connection.Ending?]>([])
    private let began = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)
    private let opened = DispatchSemaphore(value: 0)

    /// A pause that ends when the gate is opened, for one waiting thread an opening.
    var hold: Connection.Pause {
        { [self] seconds, _, _ in
            begin(seconds)
            _ = opened.wait(timeout: .now() + 20)
            return nil
        }
    }

    /// The real pause, watched.
    var watch: Connection.Pause {
        { [self] seconds, socket, signal in
            begin(seconds)
            let ending = Connection.realPause(seconds, socket, signal)
            endings.withLock { $0.append(ending) }
            ended.signal()
            return ending
        }
    }

    /// How long the next wait was meant to be, once it has begun; NaN if none begins.
    func nextWait() -> TimeInterval {
        guard began.wait(timeout: .now() + 20) == .success else { return .nan }
        return waits.withLock { $0.removeFirst() }
    }

    /// How the next watched wait ended, once it has; nil if time just passed.
    func nextEnding() -> Connection.Ending? {
        guard ended.wait(timeout: .now() + 20) == .success else { return nil }
        return endings.withLock { $0.removeFirst() }
    }

    func open() {
        opened.signal()
    }

    private func begin(_ seconds: TimeInterval) {
        waits.withLock { $0.append(seconds) }
        began.signal()
    }
}
