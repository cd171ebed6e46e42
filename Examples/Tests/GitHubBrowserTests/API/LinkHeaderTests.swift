import Testing

@testable import GitHubBrowser

@Suite("The Link header", .timeLimit(.minutes(30)))
struct LinkHeaderTests {
    @Test(
        "leads to the next page if there is one",
        arguments: [
            (#"<https://a/?page=2>; rel="next", <https://a/?page=5>; rel="last""#, "https://a/?page=2"),
            (#"<https://a/?page=1>; rel="prev",<https://a/?page=3>;rel=next"#, "https://a/?page=3"),
            (#"<https://a/?q=1,2;3>; title="x"; REL="first NEXT""#, "https://a/?q=1,2;3"),
            (#"<https://a/>; rel="last""#, nil), (#"<https://a/>; rel="nextish""#, nil), ("", nil), ("<", nil),
            ("<>", nil),
            (">; rel=next", nil), ("<a>; rel", nil),
        ])
    func next(header: String, target: String?) {
        #expect(LinkHeader.target(of: "next", in: header) == target)
    }
}
