import TestKit
import Testing

@testable import HTTPRules

@Suite(.timeLimit(.test))
struct LinkFieldTests {
    /// Returns the links in a short form: `target[relations]anchor`.
    private func short(_ value: String) -> [String] {
        LinkField(value).links.map { link in
            link.target + "[" + link.relations.joined(separator: " ") + "]" + (link["anchor"] ?? "")
        }
    }

    @Test(
        arguments: [
            // The examples of RFC 8288 §3.5
            (
                #"<http://example.com/TheBook/chapter2>; rel="previous"; title="previous chapter""#,
                ["http://example.com/TheBook/chapter2[previous]"]
            ),
            (#"</>; rel="http://example.net/foo""#, ["/[http://example.net/foo]"]),
            (##"</terms>; rel="copyright"; anchor="#foo""##, ["/terms[copyright]#foo"]),
            (
                "</TheBook/chapter2>; rel=\"previous\"; title*=UTF-8'de'letztes%20Kapitel, "
                    + "</TheBook/chapter4>; rel=\"next\"; title*=UTF-8'de'n%c3%a4chstes%20Kapitel",
                ["/TheBook/chapter2[previous]", "/TheBook/chapter4[next]"]
            ),
            (
                #"<http://example.org/>; rel="start http://example.net/relation/other""#,
                ["http://example.org/[start http://example.net/relation/other]"]
            ),
            (
                #"<https://example.org/>; rel="start", <https://example.org/index>; rel="index""#,
                ["https://example.org/[start]", "https://example.org/index[index]"]
            ),
            // GitHub
            (
                #"<https://api.github.com/repositories/1300192/issues?page=2>; rel="prev", "#
                    + #"<https://api.github.com/repositories/1300192/issues?page=4>; rel="next", "#
                    + #"<https://api.github.com/repositories/1300192/issues?page=515>; rel="last", "#
                    + #"<https://api.github.com/repositories/1300192/issues?page=1>; rel="first""#,
                [
                    "https://api.github.com/repositories/1300192/issues?page=2[prev]",
                    "https://api.github.com/repositories/1300192/issues?page=4[next]",
                    "https://api.github.com/repositories/1300192/issues?page=515[last]",
                    "https://api.github.com/repositories/1300192/issues?page=1[first]",
                ]
            ),
            (
                #"<https://api.github.com/x?per_page=2&after=MQ%3D%3D>; rel="next""#,
                ["https://api.github.com/x?per_page=2&after=MQ%3D%3D[next]"]
            ),
            // GitLab
            (
                #"<https://gitlab.example.com/api/v4/projects/8/issues/8/notes?page=1&per_page=3>; rel="prev", "#
                    + #"<https://gitlab.example.com/api/v4/projects/8/issues/8/notes?page=3&per_page=3>; rel="next""#,
                [
                    "https://gitlab.example.com/api/v4/projects/8/issues/8/notes?page=1&per_page=3[prev]",
                    "https://gitlab.example.com/api/v4/projects/8/issues/8/notes?page=3&per_page=3[next]",
                ]
            ),
            (
                #"<https://gitlab.example.com/api/v4/projects?pagination=keyset&per_page=50&order_by=id&id_after=42>;"#
                    + #" rel="next""#,
                [
                    "https://gitlab.example.com/api/v4/projects?pagination=keyset&per_page=50&order_by=id"
                        + "&id_after=42[next]"
                ]
            ),
            // Shopify
            (
                #"<https://{shop}.myshopify.com/admin/api/2024-01/products.json?page_info=hijgklmn&limit=3>; rel=next"#,
                ["https://{shop}.myshopify.com/admin/api/2024-01/products.json?page_info=hijgklmn&limit=3[next]"]
            ),
            (
                #"<https://a.myshopify.com/x.json?page_info=abc&limit=3>; rel="previous", "#
                    + #"<https://a.myshopify.com/x.json?page_info=def&limit=3>; rel="next""#,
                [
                    "https://a.myshopify.com/x.json?page_info=abc&limit=3[previous]",
                    "https://a.myshopify.com/x.json?page_info=def&limit=3[next]",
                ]
            ),
        ] as [(String, [String])])
    func `The forms of the standard and of known servers`(_ value: String, _ expected: [String]) {
        #expect(short(value) == expected)
    }

    @Test(
        arguments: [
            ("</a>;rel=next", ["/a[next]"]), ("</a> ; rel = next", ["/a[next]"]),
            ("\t</a>\t;\trel\t=\t\"next\"\t", ["/a[next]"]), ("</a>;rel=next,</b>;rel=prev", ["/a[next]", "/b[prev]"]),
            ("</a>;REL=NEXT", ["/a[next]"]), ("</a>; rel=\"Next LAST\"", ["/a[next last]"]),
            ("</a>; rel=\"  next \t last  \"", ["/a[next last]"]), ("</a>; rel=\"\"", ["/a[]"]), ("</a>", ["/a[]"]),
            ("</a>; rel", ["/a[]"]), ("</a>; rel=", ["/a[]"]), ("</a>; rel=next; rel=prev", ["/a[next]"]),
            ("</a>; rel; rel=next", ["/a[]"]), ("</a>; title=x; rel=next", ["/a[next]"]),
            ("</a>; anchor=\"/b\"; anchor=\"/c\"; rel=next", ["/a[next]/b"]),
            ("</a,b;c>; rel=next", ["/a,b;c[next]"]), ("<>; rel=next", ["[next]"]), ("< /a >; rel=next", ["/a[next]"]),
            ("<../a?b=\"c\">; rel=next", ["../a?b=\"c\"[next]"]),
            ("</a>; title=\"x, </b>; rel=prev\"; rel=next", ["/a[next]"]),
            ("</a>; title=\"x \\\" , ; > y\"; rel=next", ["/a[next]"]),
            ("</a>; title=\"x\\\\\"; rel=next", ["/a[next]"]), ("</a>; title=\"x\\", ["/a[]"]),
            ("</a>; rel=\"ne\\xt\"", ["/a[next]"]), ("</a>; rel=\"next", ["/a[next]"]),
            ("</a>; title=\"open, </b>; rel=next", ["/a[]"]), ("</a>; rel=next;", ["/a[next]"]),
            ("</a>; ; rel=next", ["/a[next]"]), ("</a>; =x; rel=next", ["/a[next]"]),
            ("</a>; rel=next; hreflang=de; hreflang=en; media=print; type=\"text/html\"", ["/a[next]"]),
            ("</a>; rel=next;;;, ,, </b>", ["/a[next]", "/b[]"]), (", </a>; rel=next", ["/a[next]"]),
            ("</a> rel=next", ["/a[]"]), ("</a> rel=next, </b>; rel=prev", ["/a[]", "/b[prev]"]),
            ("</a>x; rel=next", ["/a[]"]), ("/a; rel=next, </b>; rel=prev", ["/b[prev]"]),
            ("\"x, y\", </b>; rel=prev", ["/b[prev]"]), ("</a; rel=next", []), ("<", []), (">", []), ("", []),
            (",", []),
            (";", []), ("\"", []), ("next", []), ("</ä>; rel=next; title=ü", ["/ä[next]"]),
            ("</a>; rel=next=prev", ["/a[next=prev]"]), ("</a>; rel=nextish", ["/a[nextish]"]),
            ("</a>; rev=next", ["/a[]"]), ("</a>; rel*=UTF-8''next", ["/a[]"]),
            ("</\u{1}a>; rel=next, </b>; rel=prev", ["/b[prev]"]), ("</a>; rel=next\u{0}", ["/a[next\u{0}]"]),
            ("</a>; rel=\"https://EXAMPLE.org/Rel next\"", ["/a[https://example.org/rel next]"]),
            ("</a>; rel=next, </a>; rel=next", ["/a[next]", "/a[next]"]),
            ("</a>\n;rel=next", ["/a[]"]),
            ("x \"</a>, </b>; rel=prev\", </c>; rel=next", ["/c[next]"]),
        ] as [(String, [String])])
    func `Spaces, quotes, commas and malformed parts`(_ value: String, _ expected: [String]) {
        #expect(short(value) == expected)
    }

    @Test(
        arguments: [
            ("title=\"a\\\"b\"", "title", "a\"b"), ("title=a b ", "title", "a b"),
            ("title*=UTF-8'de'n%c3%a4chstes%20Kapitel", "title*", "nächstes Kapitel"),
            ("title*=utf-8''a", "title*", "a"), ("title*=\"UTF-8''a%2C\"", "title*", "a,"),
            ("title*=iso-8859-1''%e4", "title*", nil), ("title*=iso-8859-1''a", "title*", nil),
            ("title*=UTF-8''%e4", "title*", nil),
            ("title*=UTF-8''%", "title*", nil), ("title*=UTF-8''%4", "title*", nil),
            ("title*=UTF-8''%+4", "title*", nil),
            ("title*=plain", "title*", nil), ("title=x; title=y", "title", "x"), ("TITLE=x", "title", "x"),
            ("*=x", "*", "x"), ("=x", "", nil), ("results", "results", ""), ("results=\"true\"", "results", "true"),
            ("title=\"\"", "title", ""), ("title=\"a\tb\"", "title", "a\tb"),
        ] as [(String, String, String?)])
    func `Parameters`(_ parameter: String, _ name: String, _ expected: String?) throws {
        let link = try #require(LinkField("</a>; \(parameter); rel=next").links.first)
        #expect(link[name] == expected)
        #expect(link.relations == ["next"])
    }

    @Test func `A value that is too large counts as empty`() {
        let link = "</a>; rel=next, "
        let value = String(repeating: link, count: LinkField.limit / link.utf8.count)
        #expect(LinkField(value).links.count == LinkField.limit / link.utf8.count)
        #expect(LinkField(value + link).links.isEmpty)
    }

    @Test func `Values whose escapes separate many combining marks are read as Latin-1`() {
        let quoted = String(repeating: "\\\u{301}\\\u{323}", count: 40)
        let extended = String(repeating: "%CC%81%CC%A3", count: 40)
        let links = LinkField("</x>; rel=\"next\(quoted)\"; title*=UTF-8''\(extended)").links
        #expect(links.count == 1)
        #expect(links.first?.parameters.count == 2)
        for parameter in links.first?.parameters ?? [] { #expect(StreamSafety.allows(parameter.value)) }
    }

    @Test(arguments: ["<", "\"", "\\", ",", ";", "</a>;", "</a>,\"", "</a>;x=\"", "</a>;x*=''%", "ä"])
    func `Repeated bytes are read in linear time`(_ part: String) {
        let value = String(repeating: part, count: LinkField.limit / part.utf8.count)
        #expect(LinkField(value).links.count <= LinkField.limit)
    }
}
