import TerminalKit
import TestKit
import Testing

@Suite("A row with a progress", .timeLimit(.test))
struct ProgressLineTests {
    @Test("turns at once, and shows a bar when it takes long and the progress is known")
    func bar() {
        #expect(ProgressLine().line(tick: 0).text == " ⠋ loading")
        #expect(ProgressLine(hasBar: true).line(tick: 1).text == " ⠙ loading")
        let text = ProgressLine(fraction: 0.5, hasBar: true).line(tick: 0).text
        #expect(text == " ⠋ ▕████████        ▏50 %")
    }

    @Test("turns without a bar while all requests wait")
    func waiting() {
        #expect(ProgressLine(fraction: 0.5, hasBar: true, isWaiting: true).line(tick: 0).text == " ⠋ waiting")
    }
}
