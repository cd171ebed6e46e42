import Foundation
import TestKit
import Testing

@testable import HTTPRules

@Suite(.timeLimit(.test))
struct SecretScopeTests {
    private let scope = SecretScope(
        fields: ["Authorization", "X-Key"], prefixes: ["https://API.test:443/v1/", "http://[::1]:8080", "nonsense"])

    @Test func `A URL below a prefix is in the scope`() throws {
        for text in [
            "https://api.test/v1/", "https://api.test/v1/users?a=..", "https://api.test/v1/a.b/..c/...",
            "HTTPS://Api.Test:443/v1/x", "https://user@api.test/v1/x", "http://[::1]:8080/anything#/../x",
            "https://api.test/v1/%41/..%41", "https://api.test/v1/a?b/../c", "https://api.test/v1/;x",
        ] {
            #expect(scope.includes(try #require(URL(string: text))), "\(text)")
        }
    }

    @Test func `Any other URL is not`() throws {
        for text in [
            "https://api.test/v1", "https://api.test/v2/", "https://api.test/v10/", "https://api.test/",
            "http://api.test/v1/", "https://api.test:444/v1/", "https://api.test.evil.test/v1/",
            "https://api.test@evil.test/v1/", "https://evil.test/https://api.test/v1/", "http://[::1]/x", "/v1/",
            "ftp://api.test/v1/", "https://API.test/V1/x",
        ] {
            #expect(!scope.includes(try #require(URL(string: text))), "\(text)")
        }
    }

    @Test func `A prefix ends with a slash, also if it was written without`() throws {
        let scope = SecretScope(fields: [], prefixes: ["https://api.test/v1"])
        for (text, isIncluded) in [
            ("/v1/x", true), ("/v1/", true), ("/v1", false), ("/v10", false), ("/v1.1/x", false),
        ] {
            #expect(scope.includes("https://api.test" + text) == isIncluded, "\(text)")
        }
    }

    @Test func `A path with a dot segment is in no scope`() throws {
        for tail in [
            "..", "../admin", "a/../../admin", ".", "./x", "%2e%2e/admin", ".%2E/x", "a/..%2fadmin", "a%2F..", "..;a/x",
            "..;", "a/%2e%2e%5cx", "a/..?q", "a/..#f", "%5c..%5cx",
        ] {
            let url = try #require(URL(string: "https://api.test/v1/" + tail))
            #expect(!scope.includes(url), "\(url)")
        }
    }

    @Test func `A credential never follows from https to http`() throws {
        let both = SecretScope(fields: [], prefixes: ["https://a.test/", "http://a.test/"])
        let (secure, plain) = (
            try #require(URL(string: "https://a.test/x")), try #require(URL(string: "http://a.test/x"))
        )
        #expect(both.includes(plain))
        #expect(both.includes(secure))
        #expect(!both.includes(plain, redirectedFrom: secure))
        #expect(both.includes(secure, redirectedFrom: plain))
        #expect(both.includes(plain, redirectedFrom: plain))
    }

    @Test func `The case of a field's name does not matter`() {
        #expect(scope.isSecret("authorization"))
        #expect(scope.isSecret("X-KEY"))
        #expect(!scope.isSecret("X-Other"))
    }
}
