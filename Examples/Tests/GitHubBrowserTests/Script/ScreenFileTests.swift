import TestKit
import Testing

@testable import GitHubBrowser

@Suite("The file with screens", .timeLimit(.test))
struct ScreenFileTests {
    private let text: String

    init() {
        var file = ScreenFile()
        file.append("\n one\n\nhints", after: "1st step")
        file.append("two", after: "2nd step")
        text = file.text
    }

    @Test func `keeps screens with empty rows`() {
        var file = ScreenFile(text: text)
        #expect(file.text == text)
        #expect(file.difference(from: "\n one\n\nhints", after: "1st step") == nil)
        #expect(file.rest == ["2nd step"])
        #expect(file.difference(from: "two", after: "2nd step") == nil)
        #expect(file.rest.isEmpty)
    }

    @Test func `names the rows that differ`() {
        var file = ScreenFile(text: text)
        let difference = file.difference(from: "\n one\nnew\nhints\nmore", after: "1st step")
        #expect(
            difference == """
                the screen differs from the recorded one
                row 3: expected “”, got “new”
                row 5: expected “”, got “more”
                """)
    }

    @Test func `names another step in the same place`() {
        var file = ScreenFile(text: text)
        #expect(file.difference(from: "two", after: "2nd step") == "the recording has another step here: 1st step")
    }

    @Test func `differs after its last step`() {
        var file = ScreenFile()
        #expect(file.difference(from: "", after: "a step") == "the recording has another step here: none")
    }
}
