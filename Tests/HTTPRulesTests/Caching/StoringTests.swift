import HTTPRules
import TestKit
import Testing

@Suite("RFC 9111 §3: storing responses", .timeLimit(.test))
struct StoringTests {
    private func mayStore(
        _ response: [String: String], in kind: CachePolicy.Kind = .private, method: String = "GET", status: Int = 200,
        request: String = "", hasAuthorization: Bool = false
    ) -> Bool {
        CachePolicy(kind).mayStore(
            method: method, status: status, request: RequestDirectives(CacheControl(request)),
            hasAuthorization: hasAuthorization, response: response)
    }

    @Test(
        arguments: [
            (200, true), (203, true), (204, true), (300, true), (301, true), (308, true), (404, true), (405, true),
            (410, true), (414, true), (501, true), (201, false), (202, false), (302, false), (303, false), (307, false),
            (400, false), (403, false), (500, false), (502, false), (503, false), (504, false), (599, false),
            (100, false), (101, false), (103, false), (206, false), (304, false), (0, false), (600, false),
            (999, false),
            (-1, false), (Int.max, false),
        ])
    func `Without directives, the status decides`(status: Int, isStored: Bool) {
        #expect(mayStore([:], status: status) == isStored)
    }

    @Test(arguments: [201, 302, 307, 400, 403, 418, 500, 503, 599])
    func `Explicit permission makes every final status storable`(status: Int) {
        for value in ["max-age=60", "max-age=0", "public", "max-age=x"] {
            #expect(mayStore(["cache-control": value], status: status), "\(value)")
            #expect(mayStore(["cache-control": value], in: .shared, status: status), "\(value)")
        }
        for value in ["private", "private=\"a\""] {
            #expect(mayStore(["cache-control": value], status: status), "\(value)")
            #expect(!mayStore(["cache-control": value], in: .shared, status: status), "\(value)")
        }
        #expect(!mayStore(["cache-control": "s-maxage=60"], status: status))
        #expect(mayStore(["cache-control": "s-maxage=60"], in: .shared, status: status))
        #expect(mayStore(["expires": "Sun, 06 Nov 1994 08:49:37 GMT"], status: status))
        #expect(mayStore(["expires": "0"], status: status))
        #expect(!mayStore(["cache-control": "must-revalidate"], status: status))
    }

    @Test(arguments: [100, 103, 206, 304, 428, 429, 431, 511])
    func `No permission makes these statuses storable`(status: Int) {
        #expect(!mayStore(["cache-control": "public, max-age=60"], status: status))
        #expect(!mayStore(["cache-control": "must-understand, max-age=60"], status: status))
    }

    @Test(arguments: ["no-store", "No-Store", "max-age=60, no-store", "no-store=x", "no-store x", "public, no-store"])
    func `A response with no-store is not stored`(value: String) {
        #expect(!mayStore(["cache-control": value]))
        #expect(!mayStore(["cache-control": value], in: .shared))
    }

    @Test func `The response to a request with no-store is not stored`() {
        #expect(!mayStore(["cache-control": "max-age=60"], request: "no-store"))
        #expect(!mayStore(["cache-control": "max-age=60, must-understand"], request: "no-store"))
        #expect(mayStore(["cache-control": "max-age=60"], request: "no-cache, max-age=0"))
    }

    @Test(
        arguments: [
            (200, true), (404, true), (500, true), (299, false), (418, false), (499, false), (599, false), (206, false),
        ])
    func `With must-understand, no-store counts only for unknown statuses (§5.2.2.3)`(status: Int, isStored: Bool) {
        for value in ["must-understand, no-store, max-age=60", "max-age=60, must-understand"] {
            #expect(mayStore(["cache-control": value], status: status) == isStored, "\(value)")
        }
    }

    @Test func `A shared cache does not store private responses (§5.2.2.7)`() {
        #expect(mayStore(["cache-control": "private, max-age=60"]))
        #expect(!mayStore(["cache-control": "private, max-age=60"], in: .shared))
        #expect(!mayStore(["cache-control": "private=\"\", max-age=60"], in: .shared))
        #expect(!mayStore(["cache-control": "private, must-understand, max-age=60"], in: .shared))
        #expect(mayStore(["cache-control": "private=\"set-cookie\", max-age=60"], in: .shared))
    }

    @Test(
        arguments: [
            ("max-age=60", false), ("", false), ("public", true), ("must-revalidate", true), ("s-maxage=60", true),
            ("proxy-revalidate", false), ("immutable, max-age=60", false),
        ])
    func `A shared cache needs permission for requests with Authorization (§3.5)`(value: String, isStored: Bool) {
        #expect(mayStore(["cache-control": value], in: .shared, hasAuthorization: true) == isStored)
        #expect(mayStore(["cache-control": value], hasAuthorization: true))
    }

    @Test(arguments: ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "QUERY", "get", "Head", "", "UNKNOWN"])
    func `Responses to other methods are not stored`(method: String) {
        let response = ["cache-control": "public, max-age=60", "content-location": "/"]
        #expect(!mayStore(response, method: method))
        #expect(mayStore(response, method: "HEAD"))
    }

    @Test func `A response to POST needs a lifetime and a Content-Location (RFC 9110 §9.3.3)`() {
        let location = ["content-location": "/"]
        #expect(mayStore(location.merging(["cache-control": "max-age=60"]) { $1 }, method: "POST"))
        #expect(mayStore(location.merging(["expires": "0"]) { $1 }, method: "POST"))
        #expect(mayStore(location.merging(["cache-control": "s-maxage=60"]) { $1 }, in: .shared, method: "POST"))
        #expect(!mayStore(location.merging(["cache-control": "s-maxage=60"]) { $1 }, method: "POST"))
        #expect(!mayStore(location.merging(["cache-control": "public"]) { $1 }, method: "POST"))
        #expect(!mayStore(location, method: "POST"))
        #expect(!mayStore(["cache-control": "max-age=60"], method: "POST"))
    }

    @Test func `A response with Vary: * is stored, because it can be revalidated (§4.1)`() {
        #expect(mayStore(["vary": "*", "cache-control": "max-age=60"]))
    }
}
