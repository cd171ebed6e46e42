import HTTPRules
import TestKit
import Testing

@Suite(.timeLimit(.test))
struct URLTextTests {
    private let prepare = URLText()

    @Test(arguments: [
        ("http://h/a/b", "http://h/a/b"),
        ("http://u:p@h:80/a", "http://h:80/a"),
        ("http://u@h/a", "http://h/a"),
        ("HTTPS://u:p@[::1]:8080/a", "HTTPS://[::1]:8080/a"),
        ("http://u:p@q@h/a", "http://h/a"),
        ("http://h/a?token=x", "http://h/a?token=…"),
        ("http://h/a?page=2&token=x&limit=5", "http://h/a?page=2&token=…&limit=5"),
        ("http://h/a?PAGE=2;Token=x", "http://h/a?PAGE=2;Token=…"),
        ("http://h/a?x=1=2&y=&z", "http://h/a?x=…&…&…"),
        ("http://h/a?c2VjcmV0cw==", "http://h/a?…"),
        ("http://h/a?page=12345678901234567890123456789012345", "http://h/a?page=…"),
        ("http://h/a?redirect=http://u:p@i/?q=1&b=2", "http://h/a?redirect=…&b=…"),
        ("http://h/a#token=x", "http://h/a#…"),
        ("http://h/?#", "http://h/?#"),
        ("http://h/a?b=c?d#e?f", "http://h/a?b=…#…"),
        ("http://h/a;jsessionid=x/b;c", "http://h/a;jsessionid=…/b;…"),
        ("http://h/a%3Ftoken=x&page=2/b%3fc", "http://h/a%3Ftoken=…&page=2/b%3f…"),
        ("http://h/a?page=1%26token%3Dx", "http://h/a?page=…"),
        ("http://h/a?page=1%3btoken=x", "http://h/a?page=…"),
        ("http://h/a?sort==x", "http://h/a?sort==…"),
        ("http://h/a?sort=name%2Cage&lang=de-AT", "http://h/a?sort=name%2Cage&lang=de-AT"),
        ("http://h/a?format=http://u:p@i/", "http://h/a?format=…"),
        ("http://h/a%23token=x", "http://h/a%23token=…"),
        ("http://h/a%3Btoken=x", "http://h/a%3Btoken=…"),
        ("http://h/a%253Ftoken=x", "http://h/a%253Ftoken=…"),
        ("http://h/a%25252526token%3Dx", "http://h/a%25252526…"),
        ("http://h/R&D/a&token=x", "http://h/R&D/a&token=…"),
        ("http://h/R%26D/100%25", "http://h/R%26D/100%25"),
        ("http://u:p%40h/a", "http://h/a"),
        ("data:text/plain,x", "data:…"),
        ("http://h/users/ada@b.test", "http://h/users/ada@b.test"),
        ("http://h:8080/users/ada@b.test", "http://h:8080/users/ada@b.test"),
        ("http://h/proxy/http://u:p@i/a", "http://h/proxy/http://i/a"),
        ("", ""),
    ])
    func `A URL is shown without user info, fragment and the values of parameters`(url: String, shown: String) {
        #expect(prepare(url) == shown)
        #expect(prepare(shown) == shown, "A prepared URL stays as it is")
    }

    @Test(arguments: [
        ("/a?token=x", "/a?token=…"),
        ("?token=x", "?token=…"),
        ("#x", "#…"),
        ("//u:p@h/a", "//h/a"),
        ("u:p@h/a", "h/a"),
        ("u@h/a", "h/a"),
        ("mailto:ada@b.test", "b.test"),
        ("http:/u:p@h/a", "http:/h/a"),
        ("http:\\\\u:p@h/a", "h/a"),
        ("http://u:p/q@h/a", "http://h/a"),
        ("http://u:p?q@h/a", "http://h/a"),
        ("http://u:p#q@h/a?b=c", "http://h/a?b=…"),
        ("http://u v:p q@h/a", "http://h/a"),
        ("http://u:p@\u{301}h/a", "http://\u{301}h/a"),
        ("http://{user}:{password}@{host}/a", "http://{host}/a"),
        ("/users/{id}{?page,token}", "/users/{id}{?…"),
        ("/a?x=1\r\n&y=2", "/a?x=…&y=…"),
    ])
    func `Relative URLs, templates and what is no URL at all are shown without secrets`(url: String, shown: String) {
        #expect(prepare(url) == shown)
    }

    @Test(arguments: [
        ("GET http://u:p@h/a?t=x, again", "GET http://h/a?t=…, again"),
        ("Key=http://h/a?t=x Other=http://u:p@i/", "Key=http://h/a?t=… Other=http://i/"),
        ("Optional(\"http://h/a?t=x\")", "Optional(\"http://h/a?t=…\")"),
        ("see (http://h/a?t=x).", "see (http://h/a?t=…)."),
        ("Resource(…/a?t=…)[LD]", "Resource(…/a?t=…)[LD]"),
        ("went to /a?t=x#y", "went to /a?t=…#…"),
        ("</a?cursor=x>; rel=\"next\"", "</a?cursor=…>; rel=\"next\""),
        ("to u:p@h", "to h"),
        ("went to /a;session=x, then /a?x", "went to /a;session=…, then /a?…"),
        ("0;url=/a?x=y", "0;…/a?x=…"),
        ("</a;b=x>; rel=next", "</a;b=…>; rel=next"),
        ("is text/html;charset=utf-8", "is text/html;charset=utf-8"),
        ("http://h/a?b=x|y^z, then", "http://h/a?b=…, then"),
        ("http://h/a?b=x{y}z`", "http://h/a?b=…`"),
        ("a src=data:text/plain,x", "a src=data:text/plain,x"),
        ("to DATA:text/plain,x", "to data:…"),
        ("ask ada@b.test: why? because", "ask ada@b.test: why? because"),
        ("a/b 1 # 2", "a/b 1 # 2"),
        ("nothing", "nothing"),
    ])
    func `Every URL in a text is prepared, and the words around it stay`(text: String, shown: String) {
        #expect(prepare.preparingAll(in: text) == shown)
        #expect(prepare.preparingAll(in: shown) == shown, "A prepared text stays as it is")
    }

    @Test func `An app decides which values are shown`() {
        #expect(URLText(shownParameters: ["q"])("/a?q=1&page=2") == "/a?q=1&page=…")
        #expect(URLText(shownParameters: [])("/a?page=2") == "/a?page=…")
    }
}
