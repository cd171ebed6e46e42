import Measuring
import Testing

@Suite("Tables", .timeLimit(.minutes(30)))
struct TableTests {
    private let table = Table([.text("name", 6), .number("cost", 5)])

    @Test("texts keep to the left, numbers to the right, and no line ends in spaces")
    func alignment() {
        #expect(table.head == "name    cost\n────── ─────")
        #expect(table.line(["a", "12"]) == "a         12")
        #expect(Table([.text("name", 6)]).line(["a"]) == "a")
    }

    @Test("what is too long for its column is shown whole")
    func overflow() {
        #expect(table.line(["much too long", "12"]) == "much too long    12")
    }

    @Test("Markdown has a head, and the alignment of its columns")
    func markdown() {
        #expect(table.markdown([["a", "12"]]) == "| name | cost |\n| --- | ---: |\n| a | 12 |")
    }

    @Test(
        "figures have the unit that suits their size",
        arguments: [(12.34, "12.3 ns"), (999.9, "999.9 ns"), (1500, "1.50 µs"), (2_345_678, "2.35 ms")])
    func time(nanoseconds: Double, text: String) {
        #expect(Figures.time(nanoseconds) == text)
    }

    @Test("thousands stand apart", arguments: [(0.0, "0"), (999, "999"), (1000, "1 000"), (1_234_567.4, "1 234 567")])
    func whole(value: Double, text: String) {
        #expect(Figures.whole(value) == text)
    }

    @Test("a generated section is replaced, and what stands around it stays")
    func generatedSection() {
        let document = "before\n<!-- begin x -->\nold\n<!-- end x -->\nafter"
        let new = GeneratedSection("x").replaced(in: document, with: "new")
        #expect(new == "before\n<!-- begin x -->\nnew\n<!-- end x -->\nafter")
        #expect(GeneratedSection("y").replaced(in: document, with: "new") == nil)
    }
}
