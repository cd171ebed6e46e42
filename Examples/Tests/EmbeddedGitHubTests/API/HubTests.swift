import Foundation
import TestKit
import Testing

@testable import EmbeddedGitHub

@Suite("The hub decides every answer", .timeLimit(.test))
struct HubTests {
    private static let now = Catalogue.today.adding(days: 1)

    private func request(_ method: String, _ target: String, _ headers: HTTPHeaders = [:]) throws -> HTTPRequest {
        HTTPRequest(
            method: method, target: try #require(RequestTarget(target)), headers: headers, body: [], keepsAlive: true)
    }

    private static let token: HTTPHeaders = ["Authorization": "token \(EmbeddedGitHub.token)"]

    @Test("and a star that comes and goes within a second still changes the date twice")
    func dateMovesOn() throws {
        var hub = Hub(base: "http://x")
        let repository = try #require(hub.catalogue.repository("lanternworks", "wick"))
        var dates = [hub.modified(repository)]
        for method in ["PUT", "PUT", "DELETE", "DELETE", "PUT"] {
            let starring = try request(method, "/user/starred/lanternworks/wick", Self.token)
            #expect(hub.answer(starring, at: Self.now, fault: nil).status == 204)
            dates.append(hub.modified(repository))
        }
        #expect(dates == dates.sorted())
        #expect(Set(dates).count == 4)
        #expect(hub.stars(of: repository) == repository.starsOfOthers + 1)
    }

    @Test("and an authorised 304 costs nothing, an anonymous one does")
    func freeRevalidation() throws {
        var hub = Hub(base: "http://x")
        let remaining = { (response: HTTPResponse) in response.headers["X-RateLimit-Remaining"] }
        let anyVersion: HTTPHeaders = ["If-None-Match": "*"]
        let first = hub.answer(try request("GET", "/users/mira-sato", Self.token), at: Self.now, fault: nil)
        #expect(remaining(first) == "4999")
        let both = HTTPHeaders(Self.token.fields + anyVersion.fields)
        let second = hub.answer(try request("GET", "/users/mira-sato", both), at: Self.now, fault: nil)
        #expect(second.status == 304)
        #expect(remaining(second) == "4999")
        let third = hub.answer(try request("GET", "/users/mira-sato", anyVersion), at: Self.now, fault: nil)
        #expect(remaining(third) == "59")
    }

    @Test("and a reset lies in the future")
    func reset() throws {
        var hub = Hub(base: "http://x")
        let response = hub.answer(try request("GET", "/users/x"), at: Self.now, fault: .rateLimited)
        #expect(response.status == 403)
        #expect(response.headers["X-RateLimit-Remaining"] == "0")
        #expect(try Int(#require(response.headers["X-RateLimit-Reset"])) == Self.now.seconds + 3600)
    }

    @Test("the same on every run")
    func deterministic() throws {
        var hub = Hub(base: "http://127.0.0.1:1")
        let response = hub.answer(try request("GET", "/repos/lanternworks/harbor"), at: Self.now, fault: nil)
        #expect(response.headers["ETag"] == "\"9fcff6b93c39c334cefafda7bb752769\"")
        #expect(response.headers["Last-Modified"] == "Wed, 12 Jun 2024 17:36:24 GMT")
    }
}
