import TestKit
import Testing

@testable import EmbeddedGitHub

@Suite("A page is one part of a list", .timeLimit(.test))
struct PageTests {
    @Test(
        "whose number and size are forgiving",
        arguments: [
            ("", 1, 30), ("page=3&per_page=7", 3, 7), ("per_page=101", 1, 100), ("per_page=0", 1, 30),
            ("per_page=-4", 1, 30), ("page=0", 1, 30), ("page=x&per_page=y", 1, 30),
            ("page=9223372036854775807", .max, 30), ("page=99999999999999999999", 1, 30),
        ])
    func reading(text: String, number: Int, size: Int) throws {
        let page = Page(try #require(Query(encoded: text)))
        #expect(page.number == number)
        #expect(page.size == size)
    }

    @Test(
        "with links to the others, as far as there are any",
        arguments: [
            ("", 30, nil), ("", 0, nil),
            ("", 31, "<u?page=2>; rel=\"next\", <u?page=2>; rel=\"last\""),
            (
                "page=2&per_page=10&q=a+b", 35,
                "<u?page=1&per_page=10&q=a%20b>; rel=\"prev\", <u?page=3&per_page=10&q=a%20b>; rel=\"next\", "
                    + "<u?page=4&per_page=10&q=a%20b>; rel=\"last\", <u?page=1&per_page=10&q=a%20b>; rel=\"first\""
            ),
            ("page=2", 60, "<u?page=1>; rel=\"prev\", <u?page=1>; rel=\"first\""),
            ("page=9", 60, "<u?page=2>; rel=\"prev\", <u?page=1>; rel=\"first\""),
        ])
    func links(text: String, count: Int, expected: String?) throws {
        let query = try #require(Query(encoded: text))
        #expect(Page(query).links(for: count, at: "u", query) == expected)
    }

    @Test("and together the pages are the list, whatever their size", arguments: [1, 7, 30, 99, 100])
    func slices(size: Int) throws {
        let list = Array(0..<100)
        let pages = try (1...101).map { number in
            Page(try #require(Query(encoded: "page=\(number)&per_page=\(size)"))).slice(of: list)
        }
        #expect(pages.flatMap { $0 } == list)
    }
}
