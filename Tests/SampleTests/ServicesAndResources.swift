import Foundation
import LoopbackServer
import SampleServer
import Siesta
import Testing
import Waiting

extension Samples {
    /// The article "Services and resources".
    @MainActor
    struct ServicesAndResources {
        let server = stage.newServer()

        @Test func `Names lead to URLs`() async throws {
            let api = MyAPI()
            let users = api.resource("/users")
            let one = users.child("42")  // …/users/42
            let posts = one.relative("posts?page=1")  // …/users/posts?page=1, as for a link on a web page
            let second = posts.withParam("page", "2")  // …/users/posts?page=2
            let elsewhere = api.resource(absoluteURL: "https://other.example.com/status")
            let repository = api.resource(
                template: "/repos/{owner}/{repo}{?page,per_page}",  // …/repos/apple/swift?page=2
                ["owner": "apple", "repo": "swift", "page": 2])
            #expect(elsewhere.url.absoluteString == "https://other.example.com/status")
            for resource in [users, one, posts, second, elsewhere, repository] {
                let path = resource.url.absoluteString.replacing("https://api.example.com", with: "")
                    .replacing("https://other.example.com", with: "")
                server.answer("GET \(path)", .json(#"{"id": 42, "name": "Ada"}"#))
                await #expect(throws: Never.self) { _ = try await resource.load().value }
            }
            #expect(
                server.received == [
                    "GET /v1/users", "GET /v1/users/42", "GET /v1/users/posts?page=1", "GET /v1/users/posts?page=2",
                    "GET /status", "GET /v1/repos/apple/swift?page=2",
                ])
        }

        @Test func `Local changes are visible at once`() async throws {
            server.answer("GET /v1/users/42", .json(#"{"id": 42, "name": "Augusta"}"#))
            let api = MyAPI()
            let one = api.resource("/users/42")
            one.overrideLocalContent(with: User(id: 42, name: "Ada"))  // Replaces the content, as a load does.
            #expect(one.typedContent().map { (user: User) in user.name } == "Ada")  // sample.hidden
            #expect(one.loadIfNeeded() == nil)  // sample.hidden
            one.invalidate()  // The next loadIfNeeded() sends a request, even if the data is fresh.
            _ = try await one.loadIfNeeded()?.value  // sample.hidden
            #expect(one.typedContent().map { (user: User) in user.name } == "Augusta")  // sample.hidden
            api.wipeResources(includingCaches: true)
            #expect(one.latestData == nil)
            #expect(server.received == ["GET /v1/users/42"])
        }
    }
}
