import HTTPRules
import TestKit
import Testing

@Suite("RFC 9110 §9.2: properties of methods", .timeLimit(.test))
struct HTTPMethodsTests {
    @Test(arguments: ["GET", "HEAD", "OPTIONS", "TRACE", "QUERY", "SEARCH", "PROPFIND", "REPORT"])
    func `A safe method is idempotent`(method: String) {
        #expect(HTTPMethods.isSafe(method))
        #expect(HTTPMethods.isIdempotent(method))
    }

    @Test(arguments: ["PUT", "DELETE"])
    func `An idempotent method may be unsafe`(method: String) {
        #expect(!HTTPMethods.isSafe(method))
        #expect(HTTPMethods.isIdempotent(method))
    }

    @Test(arguments: ["POST", "PATCH", "PROPPATCH", "LOCK", "get", ""])
    func `Any other method is neither`(method: String) {
        #expect(!HTTPMethods.isSafe(method))
        #expect(!HTTPMethods.isIdempotent(method))
    }

    @Test func `A request is repeatable if its method is idempotent, or if it has a key`() {
        #expect(HTTPMethods.isRepeatable("PUT", hasKey: false))
        #expect(HTTPMethods.isRepeatable("POST", hasKey: true))
        #expect(!HTTPMethods.isRepeatable("POST", hasKey: false))
    }

    @Test(arguments: [nil, "", " \t"])
    func `A missing or blank Idempotency-Key identifies no request`(value: String?) {
        #expect(!IdempotencyKey.isKey(value))
    }

    @Test(arguments: ["1", "\"a b\"", " x"])
    func `Any other Idempotency-Key identifies a request`(value: String) {
        #expect(IdempotencyKey.isKey(value))
    }
}
