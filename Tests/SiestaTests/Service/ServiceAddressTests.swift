import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

@MainActor @Suite(.timeLimit(.test))
struct ServiceAddressTests {
    private static func service(_ baseURL: (any URLConvertible)?) -> Service {
        Service(baseURL: baseURL, networking: StubNetwork())
    }

    private let service = Self.service("https://h.test/v1")

    // MARK: baseURL

    @Test(arguments: [
        ("http://h", "http://h/"), ("http://h/", "http://h/"), ("http://h/b", "http://h/b/"),
        ("http://h/b/", "http://h/b/"), ("http://h/b?q=1", "http://h/b/?q=1"), ("http://h?q=1", "http://h/?q=1"),
        ("http://h/b/?q=1&r=2", "http://h/b/?q=1&r=2"), ("http://h:8080/b", "http://h:8080/b/"),
        ("http://u:p@h/b", "http://u:p@h/b/"), ("http://h/b%20c", "http://h/b%20c/"),
        ("http://h/b c", "http://h/b%20c/"), ("https://[::1]:80/b", "https://[::1]:80/b/"),
    ])
    func `The path of the base URL ends with a slash, and its query survives`(_ given: String, _ result: String) {
        #expect(Self.service(given).baseURL?.absoluteString == result)
        #expect(Self.service(URL(string: given)).baseURL?.absoluteString == result)
    }

    @Test(arguments: [nil, "", "\u{0}", "http://[", "a\nb"])
    func `A base URL that is nil or cannot be parsed is nil`(_ given: String?) {
        #expect(Self.service(given).baseURL == nil)
    }

    // MARK: resource(_:)

    @Test(arguments: [
        ("foo", "foo"), ("/foo", "foo"), ("//foo", "/foo"), ("foo/bar", "foo/bar"), ("foo/", "foo/"), ("", ""),
        ("/", ""), ("./foo", "./foo"), ("../foo", "../foo"), ("/../foo", "../foo"), ("foo//bar", "foo//bar"),
        ("//other.test/foo", "/other.test/foo"), ("http://other.test/foo", "http://other.test/foo"),
        ("http:", "http:"), ("?foo=bar", "%3Ffoo=bar"), ("foo?bar", "foo%3Fbar"), ("%3F", "%253F"), ("%", "%25"),
        ("#foo", "%23foo"), ("foo bar", "foo%20bar"), ("foo+bar", "foo+bar"), ("höhe", "h%C3%B6he"),
        ("[1]", "%5B1%5D"), ("a\u{0}b\n", "a%00b%0A"), ("a;b,c=d&e:f@g", "a;b,c=d&e:f@g"), ("😀", "%F0%9F%98%80"),
    ])
    func `A path is appended to the base verbatim, one leading slash being optional`(_ path: String, _ result: String) {
        #expect(service.resource(path).url.absoluteString == "https://h.test/v1/" + result)
        #expect(service.resource(path).url.baseURL == nil)
    }

    @Test func `The query of the base is kept behind the path`() {
        let service = Self.service("https://h.test/v1?key=1")
        #expect(service.resource("/foo").url.absoluteString == "https://h.test/v1/foo?key=1")
        #expect(service.resource("/foo").withParam("a", "b").url.absoluteString == "https://h.test/v1/foo?a=b&key=1")
    }

    @Test(arguments: ["foo", "/", ""])
    func `Without a base, a path leads to the invalid resource, whose requests have failed`(_ path: String) async {
        await expectInvalid(Self.service(nil).resource(path), source: path)
    }

    // MARK: resource(absoluteURL:)

    @Test(arguments: [
        "https://h.test/v1/foo", "https://other.test", "http://h.test/v1/foo", "ftp://h.test/x", "./foo", "foo",
        "//h.test/x", "/x?y=z", "mailto:x@h.test", "https://h.test/a?b=c#d", "https://h.test/%3F/../x",
    ])
    func `Any URL has a resource, below the base or not, relative or not`(_ url: String) throws {
        #expect(service.resource(absoluteURL: url).url.absoluteString == url)
        let parsed = try #require(URL(string: url))
        #expect(service.resource(absoluteURL: parsed) === service.resource(absoluteURL: url))
    }

    @Test func `Escapes stay as they are if other characters of the URL have to be escaped`() {
        let resource = service.resource(absoluteURL: "https://h.test/a%2Fb?f[x]=%20")
        #expect(resource.url.absoluteString == "https://h.test/a%2Fb?f%5Bx%5D=%20")
        #expect(Self.service("https://h.test/a%2Fb|c").baseURL?.absoluteString == "https://h.test/a%2Fb%7Cc/")
        let filtered = service.resource(template: "/a%2Fb{?q}{+rest}", ["q": "x y", "rest": "&f[x]=%2B"])
        #expect(filtered.url.absoluteString == "https://h.test/v1/a%2Fb?q=x%20y&f%5Bx%5D=%2B")
    }

    @Test func `A URL relative to another is taken for what it resolves to`() {
        let url = URL(string: "../x", relativeTo: URL(string: "https://h.test/a/b/c"))
        #expect(service.resource(absoluteURL: url).url.absoluteString == "https://h.test/a/x")
        #expect(service.resource(absoluteURL: url) === service.resource(absoluteURL: "https://h.test/a/x"))
    }

    @Test(arguments: [nil, "", "\u{0}", "http://[", "https://h.test/\u{7F}", "a\tb", "https://h.test:port/"])
    func `What cannot be parsed leads to an invalid resource, every request of which has failed already`(_ url: String?)
        async
    {
        await expectInvalid(service.resource(absoluteURL: url), source: url)
    }

    @Test func `The invalid resource takes loads, wipes, overrides and observers without harm`() async {
        let resource = service.resource(absoluteURL: nil)
        let recorder = ObserverRecorder()
        resource.addObserver(recorder)
        let load = resource.loadIfNeeded()
        #expect(load?.state == .completed)
        await load?.completion()
        #expect(resource.latestError?.cause is RequestError.Cause.InvalidURL)
        #expect(recorder.events == [.observerAdded, .requested, .error])
        resource.wipe()
        #expect(resource.latestError == nil)
        resource.overrideLocalContent(with: "x")
        #expect(resource.text == "x")
        #expect(resource.service === service)
        #expect(!resource.isRequesting)
    }

    // MARK: resource(baseURL:path:)

    @Test func `A path can be appended to another base`() {
        let resource = service.resource(baseURL: "https://other.test/api?q=1", path: "/foo?bar")
        #expect(resource.url.absoluteString == "https://other.test/api/foo%3Fbar?q=1")
        #expect(service.resource(baseURL: URL(string: "https://h.test/v1"), path: "x") === service.resource("x"))
        #expect(service.resource(baseURL: service.baseURL, path: "//x") === service.resource("//x"))
        #expect(service.baseURL?.absoluteString == "https://h.test/v1/")
    }

    @Test(arguments: [nil, "", "\u{0}"])
    func `Another base that is nil or cannot be parsed leads to an invalid resource`(_ base: String?) async {
        await expectInvalid(service.resource(baseURL: base, path: "x"), source: base)
    }

    // MARK: Description

    @Test(arguments: [
        ("https://h.test/v1/foo", "Resource(…/foo)[]"), ("https://h.test/v1/", "Resource(…/)[]"),
        ("https://h.test/v1/a/b?c=d", "Resource(…/a/b?c=…)[]"),
        ("https://h.test/v1", "Resource(https://h.test/v1)[]"),
        ("https://h.test/v10/x", "Resource(https://h.test/v10/x)[]"),
        ("http://other.test/x", "Resource(http://other.test/x)[]"),
    ])
    func `A resource is described by its URL, shortened by the base, and by letters for its state`(
        _ url: String, _ result: String
    ) {
        let resource = service.resource(absoluteURL: url)
        #expect(resource.description == result)
        #expect(String(reflecting: resource) == result)
    }

    @Test func `The letters are L while loading, D with data, E with an error`() async {
        let network = StubNetwork()
        network.answer(.get, "/foo", with: .text("x"), .response(500), .held)
        let service = Service(baseURL: "https://h.test/v1", networking: network)
        let resource = service.resource("foo")
        await resource.load().completion()
        #expect(resource.description == "Resource(…/foo)[D]")
        await resource.load().completion()
        #expect(resource.description == "Resource(…/foo)[DE]")
        resource.load()
        #expect(resource.description == "Resource(…/foo)[LDE]")
        resource.wipe()
        #expect(resource.description == "Resource(…/foo)[]")
    }

    private func expectInvalid(_ resource: Resource, source: String?) async {
        for request in [resource.load(), resource.request(.post, json: [1]), resource.request(.delete)] {
            #expect(request.state == .completed)
            let response = await request.completion().response
            guard case .failure(let error) = response, let cause = error.cause as? RequestError.Cause.InvalidURL else {
                Issue.record("\(response.description)")
                continue
            }
            #expect(cause.urlSource as? String == source)
            #expect(error.userMessage == "Cannot send request with invalid URL")
        }
    }
}
