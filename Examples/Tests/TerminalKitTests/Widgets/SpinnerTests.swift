import TestKit
import Testing

@testable import TerminalKit

@Suite("A spinner goes round", .timeLimit(.test))
struct SpinnerTests {
    @Test("Any tick has a frame", arguments: [(0, "a"), (1, "b"), (2, "a"), (-1, "b"), (Int.max, "b"), (Int.min, "a")])
    func frames(tick: Int, frame: String) {
        #expect(Spinner(frames: ["a", "b"]).frame(at: tick) == frame)
    }

    @Test("Without frames it shows nothing")
    func empty() {
        #expect(Spinner(frames: []).frame(at: 5) == "")
    }

    @Test("The frames of the dots are one column wide")
    func dots() {
        #expect(Spinner.dots.frames.allSatisfy { $0.terminalColumns == 1 })
    }
}
