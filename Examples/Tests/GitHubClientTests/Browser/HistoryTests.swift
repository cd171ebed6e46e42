import TestKit
import Testing

@testable import GitHubClient

@Suite("The history", .timeLimit(.test))
struct HistoryTests {
    /// Plays steps; `+x` opens x, `<` goes back, `>` forward.
    private func play(_ steps: String...) -> History<String> {
        var history = History("a", limit: 3)
        for step in steps {
            switch step {
            case "<": history.goBack()
            case ">": history.goForward()
            default: history.open(String(step.dropFirst()))
            }
        }
        return history
    }

    @Test("goes back and forward the way one came")
    func backAndForward() {
        let history = play("+b", "+c", "<", "<", ">")
        #expect((history.past, history.current, history.future) == (["a"], "b", ["c"]))
    }

    @Test("stays where it is at both ends")
    func ends() {
        let history = play("<", ">")
        #expect((history.past, history.current, history.future) == ([], "a", []))
    }

    @Test("tells whether it has moved")
    func moves() {
        var history = play("+b")
        let moves = [history.goBack(), history.goBack(), history.goForward(), history.goForward()]
        #expect(moves == [true, false, true, false])
    }

    @Test("has no way forward after going somewhere new")
    func branch() {
        let history = play("+b", "<", "+c", ">")
        #expect((history.past, history.current, history.future) == (["a"], "c", []))
    }

    @Test("forgets the oldest beyond its limit")
    func limit() {
        #expect(play("+b", "+c", "+d", "+e", "+f").past == ["c", "d", "e"])
    }
}
