import Foundation
import LoopbackServer
import SampleServer
import Siesta
import SiestaTesting
import Testing
import Waiting

extension Samples {
    /// The article "Changing data", and the doc comments of its functions.
    @MainActor
    struct ChangingData {
        nonisolated struct User: Codable, Equatable, Sendable {
            var id = 42
            var name = "Ada"
        }

        let server = stage.newServer()
        let service = Service(baseURL: "https://api.example.com")

        /// Returns a user that is loaded.
        private func loadedUser() async throws -> TypedResource<User> {
            service.decode("/users/*", as: User.self)
            server.answer("GET /users/42", .json(#"{"id": 42, "name": "Ada"}"#, headers: ["ETag: \"1\""]))
            let user: TypedResource<User> = service.resource("/users/42").typed()
            try await user.get(.always)
            return user
        }

        @Test func `A change is shown at once`() async throws {
            let user = try await loadedUser()
            server.answer("PATCH /users/42", .json(#"{"id": 42, "name": "Grace"}"#))
            let change = user.mutate(.patch, body: .json(["name": "Grace"])) { $0.name = "Grace" }
            let confirmed = try await change.value
            print(confirmed?.name ?? "no content")
            #expect(stage.printed == ["Grace"])
            #expect(!user.resource.isOptimistic)
        }

        @Test func `A change that fails has a message`() async throws {
            struct Post: Codable, Sendable {
                var isLiked = false
            }
            server.answer("GET /posts/7", .json(#"{"isLiked": false}"#))
            server.answer("PATCH /posts/7", .status(403))
            service.decode("/posts/*", as: Post.self)
            let post = service.resource("/posts/7", as: Post.self)
            try await post.get()
            post.mutate(.patch, body: .json(["isLiked": true])) { $0.isLiked = true }
                .onFailure { error in print(error.userMessage) }
            #expect(post.content?.isLiked == true)
            try await stage.hasPrinted("Forbidden")
            #expect(post.content?.isLiked == false)
        }

        @Test func `Several resources`() async throws {
            let user = try await loadedUser()
            service.decode("/users", as: [User].self)
            server.answer("GET /users", .json(#"[{"id": 42, "name": "Ada"}]"#))
            let users: TypedResource<[User]> = service.resource("/users").typed()
            try await users.get(.always)
            server.answer("DELETE /users/42", .text(""))
            let item = users.edit { users in users.removeAll { $0.id == 42 } }
            user.mutate(.delete, also: [item])
            #expect(users.content?.isEmpty == true)
        }

        @Test func `A later change replaces an earlier one`() async throws {
            let user = try await loadedUser()
            let edited = User(name: "Grace")
            server.answer("PUT /users/42", .json(#"{"id": 42, "name": "Grace"}"#))
            var options = ChangeOptions()
            options.coalesces = true
            user.mutate(.put, body: .encoded(edited), options: options) { $0 = edited }
            #expect(user.content == edited)
        }

        @Test func `A resolver merges`() async throws {
            service.configure("/users/*", requestMethods: [.put, .patch]) { $0.precondition = .unchanged }
            let user = try await loadedUser()
            let edited = User(name: "Grace")
            let confirmed = #"{"id": 42, "name": "Grace"}"#
            server.answer("PUT /users/42", .status(412), .json(confirmed, headers: ["ETag: \"2\""]))
            user.mutate(.put, body: .encoded(edited)) {
                $0 = edited
            } resolve: { conflict in
                guard var merged = conflict.theirs, let mine = conflict.mine else { return .giveUp }
                merged.name = mine.name
                return .send(merged)
            }
            try await Poll.until { !user.resource.isOptimistic }
            #expect(user.content?.name == "Grace")
        }

        @Test func `A change is made again over the content of the server`() async throws {
            service.configure("/users/*", requestMethods: [.put, .patch]) { $0.precondition = .unchanged }
            let user = try await loadedUser()
            server.answer("GET /users/42", .json(#"{"id": 42, "name": "Ada King"}"#, headers: ["ETag: \"2\""]))
            server.answer(
                "PATCH /users/42", .status(412), .json(#"{"id": 42, "name": "Grace"}"#, headers: ["ETag: \"3\""]))
            user.mutate(.patch, body: .json(["name": "Grace"])) {
                $0.name = "Grace"
            } resolve: { _ in
                .reapply
            }
            try await Poll.until { !user.resource.isOptimistic }
            #expect(user.content?.name == "Grace")
            #expect(server.requests.compactMap { $0.header("If-Match") } == ["\"1\"", "\"2\""])
        }

        @Test func `A resolver merges field by field`() async throws {
            service.configure("/users/*", requestMethods: [.put]) { $0.precondition = .unchanged }
            let user = try await loadedUser()
            let edited = User(name: "Grace")
            let confirmed = #"{"id": 42, "name": "Grace"}"#
            server.answer("PUT /users/42", .status(412), .json(confirmed, headers: ["ETag: \"2\""]))
            user.mutate(.put, body: .encoded(edited)) {
                $0 = edited
            } resolve: { conflict in
                let merge = try conflict.merge()
                guard merge.conflicts.isEmpty, let merged = merge.value else { return .giveUp }
                return try .send(merged.decode(as: User.self))
            }
            try await Poll.until { !user.resource.isOptimistic }
            #expect(user.content?.name == "Grace")
        }

        @Test func `A created item`() async throws {
            service.decode("/users", as: [User].self)
            server.answer("GET /users", .json("[]"))
            server.answer("POST /users", .status(201))
            let users: TypedResource<[User]> = service.resource("/users").typed()
            try await users.get(.always)
            let new = User(name: "Grace")
            users.mutate(.post, body: .encoded(new)) { users in
                if !users.contains(where: { $0.name == new.name }) { users.append(new) }
            }
            #expect(users.content == [new])
            try await Poll.until { !users.resource.isOptimistic }
            #expect(users.content == [new])
        }
    }
}
