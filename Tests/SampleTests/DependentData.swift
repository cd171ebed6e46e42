import Foundation
import LoopbackServer
import SampleServer
import Siesta
import SiestaTesting
import Testing
import Waiting

extension Samples {
    /// The article "Dependent data", and the doc comments of its functions.
    @MainActor
    struct DependentData {
        typealias User = DetachedUser

        struct Repo: Decodable, Sendable {
            var id: Int
        }

        let server = stage.newServer()
        let service = Service(baseURL: "https://api.example.com")

        /// Loads a resource with a response to GET, and returns it.
        private func loaded(_ path: String, _ json: String = "[]") async -> Resource {
            server.answer("GET \(path)", .json(json))
            let resource = service.resource(path)
            await resource.load().completion()
            return resource
        }

        private func write(_ method: RequestMethod, _ path: String) async {
            server.answer("\(method.rawValue.uppercased()) \(path)", .json("{}"))
            await service.resource(path).request(method).completion()
        }

        @Test func `A write makes resources with a tag stale`() async throws {
            service.configure("/users/**") { $0.tags = ["users"] }
            service.configure("/users") { $0.tags = ["users"] }
            service.configure("/users", requestMethods: [.post]) { $0.invalidates = ["users"] }
            let (users, user, teams) = (await loaded("/users"), await loaded("/users/42", "{}"), await loaded("/teams"))
            let recorder = ObserverRecorder()
            users.addObserver(recorder)
            await write(.post, "/users")
            #expect(user.isStale)
            #expect(teams.isUpToDate)
            try await Poll.until { server.received.count { $0 == "GET /users" } == 2 && users.isUpToDate }
        }

        @Test func `Tags of earlier rules stay`() {
            service.configure("/users/**") { $0.tags = ["users"] }
            service.configure("/users/*/repos") { $0.tags.insert("repos") }
            #expect(service.resource("/users/1/repos").tags == ["users", "repos"])
        }

        @Test func `A POST invalidates a tag`() async {
            service.configure("/users/**") { $0.tags = ["users"] }
            service.configure("/users", requestMethods: [.post]) { $0.invalidates = ["users"] }
            let user = await loaded("/users/42", "{}")
            await write(.post, "/users")
            #expect(user.isStale)
        }

        @Test func `Several targets`() async {
            service.configure("/users", requestMethods: [.post]) { $0.invalidates = ["users"] }
            service.configure("/users/*", requestMethods: [.put, .delete]) { $0.invalidates = ["teams", .collection] }
            let users = await loaded("/users")
            await write(.put, "/users/42")
            #expect(users.isStale)
        }

        @Test func `The collection of an item`() async {
            service.configure("/users/*") { $0.invalidates = [.collection] }
            let users = await loaded("/users")
            await write(.delete, "/users/42")
            #expect(users.isStale)
        }

        @Test func `Tags from data`() async {
            service.configure("/search/users") {
                $0.tagContent(of: [User].self) { users in Set(users.map { "user-\($0.id)" }) }
            }
            service.configure("/users/*", requestMethods: [.put, .patch, .delete]) {
                $0.addInvalidations { resource, _ in [.tag("user-\(resource.url.lastPathComponent)")] }
            }
            service.decode("/search/users", as: [User].self)
            let users = await loaded("/search/users", #"[{"id": 42, "name": "Ada"}]"#)
            #expect(users.tags == ["user-42"])
            await write(.patch, "/users/7")
            #expect(users.isUpToDate)
            await write(.patch, "/users/42")
            #expect(users.isStale)
        }

        @Test func `Tags from content, and computed targets`() async {
            service.configure("/search/repos") {
                $0.tagContent(of: [Repo].self) { repos in Set(repos.map { "repo-\($0.id)" }) }
            }
            service.configure("/user/starred/**", requestMethods: [.put, .delete]) {
                $0.addInvalidations { resource, _ in [.tag("repo-\(resource.url.lastPathComponent)")] }
            }
            service.decode("/search/repos", as: [Repo].self)
            let repos = await loaded("/search/repos", #"[{"id": 1}]"#)
            await write(.put, "/user/starred/1")
            #expect(repos.isStale)
        }

        @Test func `The app invalidates`() async {
            service.configure("/users/**") { $0.tags = ["users"] }
            let (user, team) = (await loaded("/users/42", "{}"), await loaded("/teams/1", "{}"))
            service.invalidate(tagged: "users")
            service.invalidate(matching: "/teams/**")
            #expect(user.isStale)
            #expect(team.isStale)
        }

        @Test func `A resource with a request body`() async throws {
            service.decode("/search", as: [User].self)
            server.answer("POST /search", .json(#"[{"id": 1, "name": "Ada"}]"#))
            let matches = service.resource("/search", as: [User].self, loadedBy: .post, body: .json(["name": "Ada"]))
            for user in try await matches.get() { print(user.name) }
            #expect(stage.printed == ["Ada"])
        }

        @Test func `A search`() async throws {
            server.answer("POST /search", .json("[]"))
            let matches = service.resource("/search", loadedBy: .post, body: .json(["text": "swift"]))
            matches.loadIfNeeded()
            try await Poll.until { matches.latestData != nil }
            #expect(server.received == ["POST /search"])
        }
    }
}
