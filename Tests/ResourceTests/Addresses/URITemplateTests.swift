import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

/// The examples of RFC 6570, section by section, and malformed templates.
@MainActor @Suite(.timeLimit(.test))
struct URITemplateTests {
    nonisolated private static var variables: [String: any URITemplateVariable] {
        [
            "count": ["one", "two", "three"], "dom": ["example", "com"], "dub": "me/too", "hello": "Hello World!",
            "half": "50%", "var": "value", "who": "fred", "base": "http://example.com/home/", "path": "/foo/bar",
            "list": ["red", "green", "blue"], "keys": ["semi": ";", "dot": ".", "comma": ","] as KeyValuePairs,
            "v": "6", "x": "1024", "y": 768, "empty": "", "empty_keys": [:] as KeyValuePairs<String, String>,
            "undef": String?.none, "semi": ";", "year": [1965, 2000, 2012], "dotted.name": "d", "%C3%A9": "e",
        ]
    }

    @Test(arguments: [
        ("http://example.com/~{who}/", "http://example.com/~fred/"),
        ("map?{x,y}", "map?1024,768"), ("{x,hello,y}", "1024,Hello%20World%21,768"),
        ("{+x,hello,y}", "1024,Hello%20World!,768"), ("{+path,x}/here", "/foo/bar,1024/here"),
        ("{#x,hello,y}", "#1024,Hello%20World!,768"), ("X{.x,y}", "X.1024.768"),
        ("{/var,x}/here", "/value/1024/here"),
        ("{;x,y,empty}", ";x=1024;y=768;empty"), ("?fixed=yes{&x}", "?fixed=yes&x=1024"),
    ])
    func `Levels 1 to 3 and introduction (§1.2)`(_ template: String, _ expected: String) throws {
        try check(template, expected)
    }

    @Test(arguments: [
        ("{var:20}", "value"), ("{var:3}", "val"), ("{semi}", "%3B"), ("{semi:2}", "%3B"),
        ("find{?year*}", "find?year=1965&year=2000&year=2012"), ("www{.dom*}", "www.example.com"),
    ])
    func `Modifiers (§2.4)`(_ template: String, _ expected: String) throws { try check(template, expected) }

    @Test(arguments: [
        ("{count}", "one,two,three"), ("{count*}", "one,two,three"), ("{/count}", "/one,two,three"),
        ("{/count*}", "/one/two/three"), ("{;count}", ";count=one,two,three"),
        ("{;count*}", ";count=one;count=two;count=three"), ("{?count}", "?count=one,two,three"),
        ("{?count*}", "?count=one&count=two&count=three"), ("{&count*}", "&count=one&count=two&count=three"),
    ])
    func `Lists with every operator (§3.2.1)`(_ template: String, _ expected: String) throws {
        try check(template, expected)
    }

    @Test(arguments: [
        ("{var}", "value"), ("{hello}", "Hello%20World%21"), ("{half}", "50%25"), ("O{empty}X", "OX"),
        ("O{undef}X", "OX"), ("{x,y}", "1024,768"), ("?{x,empty}", "?1024,"), ("?{x,undef}", "?1024"),
        ("?{undef,y}", "?768"), ("{var:30}", "value"), ("{list}", "red,green,blue"), ("{list*}", "red,green,blue"),
        ("{keys}", "semi,%3B,dot,.,comma,%2C"), ("{keys*}", "semi=%3B,dot=.,comma=%2C"),
    ])
    func `Simple expansion (§3.2.2)`(_ template: String, _ expected: String) throws { try check(template, expected) }

    @Test(arguments: [
        ("{+var}", "value"), ("{+hello}", "Hello%20World!"), ("{+half}", "50%25"),
        ("{base}index", "http%3A%2F%2Fexample.com%2Fhome%2Findex"),
        ("{+base}index", "http://example.com/home/index"),
        ("O{+empty}X", "OX"), ("O{+undef}X", "OX"), ("{+path}/here", "/foo/bar/here"),
        ("here?ref={+path}", "here?ref=/foo/bar"), ("up{+path}{var}/here", "up/foo/barvalue/here"),
        ("{+path:6}/here", "/foo/b/here"), ("{+list}", "red,green,blue"), ("{+list*}", "red,green,blue"),
        ("{+keys}", "semi,;,dot,.,comma,,"), ("{+keys*}", "semi=;,dot=.,comma=,"),
    ])
    func `Reserved expansion (§3.2.3)`(_ template: String, _ expected: String) throws { try check(template, expected) }

    @Test(arguments: [
        ("{#var}", "#value"), ("{#hello}", "#Hello%20World!"), ("{#half}", "#50%25"), ("foo{#empty}", "foo#"),
        ("foo{#undef}", "foo"), ("{#path,x}/here", "#/foo/bar,1024/here"), ("{#path:6}/here", "#/foo/b/here"),
        ("{#list}", "#red,green,blue"), ("{#list*}", "#red,green,blue"), ("{#keys}", "#semi,;,dot,.,comma,,"),
        ("{#keys*}", "#semi=;,dot=.,comma=,"),
    ])
    func `Fragments (§3.2.4)`(_ template: String, _ expected: String) throws { try check(template, expected) }

    @Test(arguments: [
        ("{.who}", ".fred"), ("{.who,who}", ".fred.fred"), ("{.half,who}", ".50%25.fred"), ("X{.var}", "X.value"),
        ("X{.empty}", "X."), ("X{.undef}", "X"), ("X{.var:3}", "X.val"), ("X{.list}", "X.red,green,blue"),
        ("X{.list*}", "X.red.green.blue"), ("X{.keys}", "X.semi,%3B,dot,.,comma,%2C"),
        ("X{.keys*}", "X.semi=%3B.dot=..comma=%2C"), ("X{.empty_keys}", "X"), ("X{.empty_keys*}", "X"),
    ])
    func `Labels (§3.2.5)`(_ template: String, _ expected: String) throws { try check(template, expected) }

    @Test(arguments: [
        ("{/who}", "/fred"), ("{/who,who}", "/fred/fred"), ("{/half,who}", "/50%25/fred"),
        ("{/who,dub}", "/fred/me%2Ftoo"), ("{/var}", "/value"), ("{/var,empty}", "/value/"),
        ("{/var,undef}", "/value"),
        ("{/var:1,var}", "/v/value"), ("{/list}", "/red,green,blue"), ("{/list*}", "/red/green/blue"),
        ("{/list*,path:4}", "/red/green/blue/%2Ffoo"), ("{/keys}", "/semi,%3B,dot,.,comma,%2C"),
        ("{/keys*}", "/semi=%3B/dot=./comma=%2C"),
    ])
    func `Path segments (§3.2.6)`(_ template: String, _ expected: String) throws { try check(template, expected) }

    @Test(arguments: [
        ("{;who}", ";who=fred"), ("{;half}", ";half=50%25"), ("{;empty}", ";empty"),
        ("{;v,empty,who}", ";v=6;empty;who=fred"), ("{;v,bar,who}", ";v=6;who=fred"), ("{;x,y}", ";x=1024;y=768"),
        ("{;x,y,undef}", ";x=1024;y=768"), ("{;hello:5}", ";hello=Hello"), ("{;list}", ";list=red,green,blue"),
        ("{;list*}", ";list=red;list=green;list=blue"), ("{;keys}", ";keys=semi,%3B,dot,.,comma,%2C"),
        ("{;keys*}", ";semi=%3B;dot=.;comma=%2C"),
    ])
    func `Path parameters (§3.2.7)`(_ template: String, _ expected: String) throws { try check(template, expected) }

    @Test(arguments: [
        ("{?who}", "?who=fred"), ("{?half}", "?half=50%25"), ("{?x,y}", "?x=1024&y=768"),
        ("{?x,y,empty}", "?x=1024&y=768&empty="), ("{?x,y,undef}", "?x=1024&y=768"), ("{?var:3}", "?var=val"),
        ("{?list}", "?list=red,green,blue"), ("{?list*}", "?list=red&list=green&list=blue"),
        ("{?keys}", "?keys=semi,%3B,dot,.,comma,%2C"), ("{?keys*}", "?semi=%3B&dot=.&comma=%2C"),
        ("{&who}", "&who=fred"), ("{&half}", "&half=50%25"), ("{&x,y,empty}", "&x=1024&y=768&empty="),
        ("{&x,y,undef}", "&x=1024&y=768"), ("{&var:3}", "&var=val"), ("{&list}", "&list=red,green,blue"),
        ("{&list*}", "&list=red&list=green&list=blue"), ("{&keys}", "&keys=semi,%3B,dot,.,comma,%2C"),
        ("{&keys*}", "&semi=%3B&dot=.&comma=%2C"),
    ])
    func `Queries and their continuation (§3.2.8, §3.2.9)`(_ template: String, _ expected: String) throws {
        try check(template, expected)
    }

    @Test(arguments: [
        ("a b", "a%20b"), ("a%20b", "a%20b"), ("100%", "100%25"), ("é{var}", "%C3%A9value"), ("", ""),
        ("{dotted.name}", "d"), ("{%C3%A9}", "e"),
    ])
    func `Literals are escaped where a URI cannot hold them, triplets stay (§3.1)`(
        _ template: String, _ expected: String
    ) throws { try check(template, expected) }

    @Test(arguments: [
        "{", "}", "a{var", "a}b", "{}", "{+}", "{=var}", "{|var}", "{!var}", "{@var}", "{,var}", "{var:0}",
        "{var:10000}",
        "{var:x}", "{var:}", "{var:-1}", "{var:+1}", "{var:01}", "{a b}", "{a..b}", "{.a.}", "{var**}", "{a{b}}",
        "{ü}", "{%4}",
    ])
    func `What is no template is refused, and says why`(_ template: String) {
        #expect(throws: URITemplate.Malformation.self) { try URITemplate(template) }
    }

    @Test(arguments: ["{list:3}", "{?keys:1}"])
    func `Lists and associations cannot be cut off (§2.4.1)`(_ template: String) throws {
        let template = try URITemplate(template)
        #expect(throws: URITemplate.Malformation.self) { try template.expanded(with: Self.variables) }
    }

    @Test func `A template names its variables, in order`() throws {
        #expect(try URITemplate("/{a}{/b*}/{a}{?c:3,d}").variableNames == ["a", "b", "c", "d"])
    }

    // MARK: Resources

    @Test func `A resource's template is expanded below the base, and names the same resource as other ways to it`() {
        let service = Service(baseURL: "https://api.test/v1")
        let resource = service.resource(
            template: "/repos/{owner}/{repo}{?page}", ["owner": "apple", "repo": "swift", "page": Int?.some(2)])
        #expect(resource.url.absoluteString == "https://api.test/v1/repos/apple/swift?page=2")
        #expect(resource === service.resource("repos/apple/swift").withParam("page", "2"))
        #expect(
            service.resource(template: "repos/{owner}", ["owner": "a/b?c"]).url.absoluteString
                == "https://api.test/v1/repos/a%2Fb%3Fc")
        #expect(
            service.resource(template: "https://other.test/{x}", ["x": 1]).url.absoluteString == "https://other.test/1")
    }

    @Test func `No variable leads to another host`() {
        let service = Service(baseURL: "https://api.test/v1")
        for value in ["http://evil.test/", "//evil.test/", "javascript:x"] {
            let url = service.resource(template: "{+place}", ["place": value]).url
            #expect(url.host() == "api.test")
            #expect(url.absoluteString.hasPrefix("https://api.test/v1/"))
        }
    }

    @Test(
        arguments: [
            ("/users/{id}", ".."), ("/users/{id}", "."), ("/users/{id}/x", ".."), ("{id}", ".."), ("{+id}", ".."),
            ("/users/{+id}", "../../admin"), ("/users/{+id}", "a/../../b"), ("/users/{+id}", "a/.."),
            ("/users/{+id}", "%2e%2E"), ("/users/{+id}", ".%2e/admin"), ("/users/{+id}", "%2e"),
            ("/users/.{id}", "."), ("/users/{id}.", "."), ("/users/{id}{id}", "."), ("/users/%2e{id}", "."),
            ("/users/..{id}", ""), ("/users/{id}../x", ""), ("/users{/id}", ".."), ("/users/x{+id}../y", "/"),
            ("/users{/id*}", ".."), ("/users/.{.id}", ""), ("/users{.id}", "/.."), ("/users/{+id}", "..;x"),
            ("/users/{id}", "..;x=1"), ("/users/..{;id}", "x"), ("/users/{id}", "../admin"), ("/users/{id}", "a/../b"),
            ("/users/{id}", "..\\admin"), ("/users/{+id}", "..%2Fadmin"), ("/users/{+id}", "..%5cadmin"),
            ("/users/{+id}?x=1", "../.."), ("https://other.test/a/{+id}", "../b"),
        ] as [(String, String)])
    func `A dot segment that comes from a value makes the resource invalid`(_ template: String, _ value: String)
        async throws
    {
        let resource = Service(baseURL: "https://api.test/v1").resource(template: template, ["id": value])
        let cause = await resource.load().completion().failure?.cause as? RequestError.Cause.InvalidURL
        #expect(cause?.urlSource as? String == template)
    }

    @Test(
        arguments: [
            ("/users/{id}", "...", "users/..."), ("/users/{id}", ".a", "users/.a"), ("/users/{id}", "a..", "users/a.."),
            ("/users/{id}", "1.0", "users/1.0"), ("/users/a{id}", "..", "users/a.."),
            ("/users{?id}", "..", "users?id=.."),
            ("/users{?id}", "../..", "users?id=..%2F.."), ("/users{#id}", "../..", "users#../.."),
            ("/users?x={+id}", "../..", "users?x=../.."), ("/users/../{id}", "a", "users/../a"),
            ("/users/..{?id}", "a", "users/..?id=a"), ("/users/{id}", "%2e%2e", "users/%252e%252e"),
            ("/users/{id}", "a/b", "users/a%2Fb"), ("/users/{id}", "", "users/"), ("/users{;id}", "..", "users;id=.."),
            ("{&id}/..", "x", "&id=x/.."),
        ] as [(String, String, String)])
    func `Dots that make no dot segment, and dots after the path, are values like any other`(
        _ template: String, _ value: String, _ path: String
    ) {
        let resource = Service(baseURL: "https://api.test/v1").resource(template: template, ["id": value])
        #expect(resource.url.absoluteString == "https://api.test/v1/" + path)
    }

    @Test func `A dot segment among several values is found, too`() async {
        let service = Service(baseURL: "https://api.test/v1")
        for template in ["{/ids*}", "{+ids*}/{+id}", "/x/{id}{id}/{ids}"] {
            let resource = service.resource(template: template, ["ids": ["a", "..", "b"], "id": "."])
            #expect(await resource.load().completion().failure?.cause is RequestError.Cause.InvalidURL, "\(template)")
        }
    }

    @Test(
        arguments: [
            ("{+id:1}", "%41bc", "%41"), ("{+id:2}", "%41bc", "%41b"), ("{+id:3}", "%41bc", "%41bc"),
            ("{+id:1}", "%C3%A9bc", "%C3%A9"), ("{+id:2}", "%C3%A9bc", "%C3%A9b"),
            ("{+id:1}", "%E2%82%AC1", "%E2%82%AC"),
            ("{+id:1}", "%F0%9F%98%80x", "%F0%9F%98%80"), ("{+id:1}", "%C3bc", "%C3"), ("{+id:1}", "%A9bc", "%A9"),
            ("{+id:2}", "%C3%41c", "%C3%41"), ("{+id:2}", "%4", "%254"), ("{+id:1}", "%zz", "%25"),
            ("{#id:2}", "%41bc", "#%41b"), ("{id:2}", "%41bc", "%254"), ("{+id:2}", "ébc", "%C3%A9b"),
            ("{+id:9999}", "%41", "%41"),
        ] as [(String, String, String)])
    func `A prefix does not split what stands for one character (§2.4.1)`(
        _ template: String, _ value: String, _ expected: String
    ) throws {
        #expect(try URITemplate(template).expanded(with: ["id": value]) == expected)
    }

    @Test func `A malformed template makes a resource that fails and names it`() async throws {
        let response = await Service(baseURL: "https://api.test").resource(template: "/a{b").load().completion()
        let cause = try #require(response.failure?.cause as? RequestError.Cause.InvalidURL)
        #expect(cause.urlSource as? String == "/a{b")
    }

    @Test func `Without a base URL, the error names the template`() async throws {
        let response = await Service().resource(template: "/a/{id}", ["id": "1"]).load().completion()
        let cause = try #require(response.failure?.cause as? RequestError.Cause.InvalidURL)
        #expect(cause.urlSource as? String == "/a/{id}")
    }

    private func check(_ template: String, _ expected: String) throws {
        #expect(try URITemplate(template).expanded(with: Self.variables) == expected)
    }
}
