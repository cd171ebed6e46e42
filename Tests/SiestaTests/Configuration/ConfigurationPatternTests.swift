import Foundation
import SiestaCore
import SiestaTesting
import TestKit
import Testing

@MainActor @Suite(.timeLimit(.test))
struct ConfigurationPatternTests {
    private func service(_ base: String? = "http://base.test/api") -> Service {
        Service(baseURL: base, networking: StubNetwork())
    }

    /// Returns true if the configuration for `pattern` applies to `resource`.
    private func applies(_ pattern: any ConfigurationPatternConvertible, to resource: Resource) -> Bool {
        resource.service.configure(pattern) { $0.headers["X-Applies"] = "yes" }
        return resource.configuration.headers["X-Applies"] == "yes"
    }

    // MARK: Wildcards

    @Test(arguments: [
        ("/x", "/x", true), ("x", "/x", true), ("/x", "x", true), ("/x", "/y", false), ("/*", "/x", true),
        ("/*", "/x/y", false), ("/*", "/hither/", false), ("/**", "/x/y", true), ("/x/?*", "/x/", false),
        ("/x/?*", "/x/y", true), ("/a/**/b", "/a/b", true), ("/a/**/b", "/a/x/b", true), ("/ü *", "/ü über", true),
        ("/x", "/x?y=z", false), ("http://base.test/api/x", "/x", true), ("http://base.test/x", "/x", false),
    ])
    func `A string is a wildcard relative to the base`(pattern: String, path: String, applies: Bool) {
        #expect(self.applies(pattern, to: service().resource(path)) == applies)
    }

    @Test func `The query of a resource is ignored`() {
        let resource = service().resource("/x").withParam("a/b", "c")
        #expect(applies("/x", to: resource))
        #expect(!applies("/x/*", to: service().resource("/x").withParam("a/b", "c")))
    }

    @Test func `The query of the base is ignored`() {
        #expect(applies("/x", to: service("http://base.test/api?key=1").resource("/x")))
        #expect(applies("/*", to: service("http://base.test/api?key=1").resource("/x").withParam("key", nil)))
    }

    @Test func `Resources elsewhere do not match relative patterns, whatever they are`() {
        #expect(!applies("**", to: service().resource(absoluteURL: "http://other.test/api/x")))
        #expect(!applies("/x", to: service().resource(absoluteURL: "http://base.test/x")))
        #expect(applies("/x", to: service().resource(absoluteURL: "http://base.test/api/x")))
    }

    @Test(arguments: [
        ("https://*:8080/**", "https://any.test:8080/x/y", true), ("https://*:8080/**", "https://any.test/x", false),
        ("https://foo.com:*/**", "https://foo.com:80/x", true), ("https://foo.com:*/**", "https://bar.com:80/x", false),
        ("**", "http://any.test/x", false),
    ])
    func `A string that begins with a scheme is for the whole URL`(pattern: String, url: String, applies: Bool) {
        #expect(self.applies(pattern, to: service().resource(absoluteURL: url)) == applies)
    }

    @Test(arguments: [
        ("**", true), ("http://any.test/*", true), ("*://any.test/x", true), ("/x", false), ("x", false), ("*", false),
    ])
    func `Without a base every string is for the whole URL`(pattern: String, applies: Bool) {
        #expect(self.applies(pattern, to: service(nil).resource(absoluteURL: "http://any.test/x")) == applies)
    }

    // MARK: Other patterns

    @Test(arguments: [
        ("/users/[0-9]+$", true), ("ser", true), ("^http:", true), ("base\\.test", true), ("\\?page=2", false),
        ("^/users", false),
        ("USERS", false),
    ])
    func `A regular expression matches any part of the absolute URL`(expression: String, applies: Bool) throws {
        let pattern = try NSRegularExpression(pattern: expression)
        #expect(self.applies(pattern, to: service().resource("/users/12")) == applies)
    }

    @Test func `A regular expression sees the query`() throws {
        let pattern = try NSRegularExpression(pattern: "\\?page=2$")
        #expect(applies(pattern, to: service().resource("/x").withParam("page", "2")))
    }

    @Test func `A resource as pattern matches itself alone`() {
        let service = service()
        let resource = service.resource("/x")
        service.configure(resource) { $0.expirationTime = 5 }
        #expect(resource.configuration.expirationTime == 5)
        #expect(service.resource("/x").configuration.expirationTime == 5)
        for other in [
            service.resource("/x/"), resource.child("y"), resource.withParam("a", "b"), service.resource("/"),
        ] {
            #expect(other.configuration.expirationTime == 30)
        }
    }

    @Test func `A resource with a query as pattern matches itself alone`() {
        let service = service()
        let resource = service.resource("/x").withParam("a", "b")
        service.configure(resource) { $0.expirationTime = 5 }
        #expect(resource.configuration.expirationTime == 5)
        #expect(service.resource("/x").configuration.expirationTime == 30)
        #expect(resource.withParam("a", "c").configuration.expirationTime == 30)
    }

    @Test func `whenURLMatches gets the absolute URL`() {
        let service = service()
        var asked: Set<String> = []
        service.configure(whenURLMatches: {
            asked.insert($0.absoluteString)
            return $0.path.hasSuffix("y")
        }) { $0.expirationTime = 5 }
        #expect(service.resource("/x").configuration.expirationTime == 30)
        #expect(service.resource("/y").withParam("a", "b").configuration.expirationTime == 5)
        #expect(asked == ["http://base.test/api/x", "http://base.test/api/y?a=b"])
    }

    @Test func `Without a pattern every resource is meant`() {
        let service = service()
        service.configure { $0.expirationTime = 5 }
        #expect(service.resource("/x").configuration.expirationTime == 5)
        #expect(service.resource(absoluteURL: "ftp://other.test/").configuration.expirationTime == 5)
    }

    @Test func `A pattern of one's own is asked with the service`() {
        struct Suffix: ConfigurationPatternConvertible {
            let suffix: String
            var configurationPatternDescription: String { "…\(suffix)" }

            func configurationPattern(for service: Service) -> (URL) -> Bool {
                let base = service.baseURL?.absoluteString ?? ""
                return { $0.absoluteString.hasPrefix(base) && $0.absoluteString.hasSuffix(suffix) }
            }
        }
        #expect(applies(Suffix(suffix: "y"), to: service().resource("/xy")))
        #expect(!applies(Suffix(suffix: "y"), to: service().resource("/yx")))
        #expect(!applies(Suffix(suffix: "y"), to: service().resource(absoluteURL: "http://other.test/y")))
    }

    @Test func `Patterns can be asked directly`() throws {
        let service = service()
        let url = try #require(URL(string: "http://base.test/api/x?y"))
        #expect("/x".configurationPattern(for: service)(url))
        #expect(!"/y".configurationPattern(for: service)(url))
        #expect(try NSRegularExpression(pattern: "api/.\\?y").configurationPattern(for: service)(url))
        #expect(!service.resource("/x").configurationPattern(for: service)(url))
        #expect(service.resource("/x").configurationPattern(for: service)(service.resource("/x").url))
    }

    @Test func `Patterns describe themselves`() throws {
        #expect("/x/*".configurationPatternDescription == "/x/*")
        #expect(try NSRegularExpression(pattern: "a+").configurationPatternDescription == "a+")
        #expect(service().resource("/x").configurationPatternDescription.contains("x"))
    }
}
