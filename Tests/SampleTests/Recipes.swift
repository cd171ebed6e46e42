import Foundation
import LoopbackServer
import SampleServer
import Siesta
import Testing
import Waiting

/// Hides the function of Swift, because it has the same declaration. Reads the lines that the sample types.
nonisolated func readLine(strippingNewline: Bool = true) -> String? { stage.readLine() }

/// The lines that a person types. A thread of its own waits for them.
nonisolated func typedLines() -> AsyncStream<String> {
    AsyncStream { continuation in
        Thread.detachNewThread {
            while let line = readLine() { continuation.yield(line) }
            continuation.finish()
        }
    }
}

extension Samples {
    /// The recipes of the articles "Changing data", "Conflicting changes", "Lists in pages" and "Concurrency".
    @MainActor
    struct Recipes {
        nonisolated struct User: Codable, Equatable, Sendable {
            var id = 42
            var name = "Ada"
            var city = "London"
        }

        nonisolated struct Repo: Codable, Identifiable, Sendable {
            var id: Int
            var isStarred: Bool
        }

        let server = stage.newServer()
        let service = Service(baseURL: "https://api.example.com")

        @Test func `A deleted row comes back after a failure`() async throws {
            service.decode("/users", as: [User].self)
            server.answer("GET /users", .json(#"[{"id": 42, "name": "Ada", "city": "London"}]"#))
            server.answer("DELETE /users/42", .status(403), .status(204))
            let users: TypedResource<[User]> = service.resource("/users").typed()
            try await users.get(.always)
            func delete(_ user: User) async {
                let row = users.edit { users in users.removeAll { $0.id == user.id } }
                let user = service.resource("/users/\(user.id)", as: User.self)
                do throws(RequestError) {
                    _ = try await user.mutate(.delete, also: [row]).value  // The row disappears at once.
                } catch {
                    show("Not deleted: \(error.userMessage)")  // The row is back.
                }
            }
            await delete(User())
            #expect(users.content == [User()])
            #expect(stage.printed == ["Not deleted: \(UserMessages.current.statusPhrase(403))"])
            await delete(User())
            #expect(users.content?.isEmpty == true)
            #expect(stage.printed.count == 1)
        }

        @Test func `A person decides a conflict`() async throws {
            @MainActor struct Dialog {
                func keepsMine(_ fields: [String]) async -> Bool {
                    show(fields.joined(separator: ", "))
                    return true
                }
            }
            service.configure("/users/*", requestMethods: [.put]) { $0.precondition = .unchanged }
            service.decode("/users/*", as: User.self)
            let confirmed = #"{"id": 42, "name": "Grace", "city": "Paris"}"#
            server.answer(
                "GET /users/42", .json(#"{"id": 42, "name": "Ada", "city": "London"}"#, headers: ["ETag: \"1\""]),
                .json(#"{"id": 42, "name": "Augusta", "city": "Paris"}"#, headers: ["ETag: \"2\""]))
            server.answer("PUT /users/42", .status(412), .json(confirmed, headers: ["ETag: \"3\""]))
            let user: TypedResource<User> = service.resource("/users/42").typed()
            try await user.get(.always)
            let (dialog, edited) = (Dialog(), User(name: "Grace"))
            user.mutate(.put, body: .encoded(edited)) {
                $0 = edited
            } resolve: { conflict in
                let merge = try conflict.merge(preferring: .mine)
                if !merge.conflicts.isEmpty {
                    let fields = merge.conflicts.map { "\($0.path)" }  // Both sides have changed these fields.
                    guard await dialog.keepsMine(fields) else { return .giveUp }
                }
                guard let merged = merge.value else { return .giveUp }
                return try .send(merged.decode(as: User.self))
            }
            try await Poll.until { !user.resource.isOptimistic }
            #expect(stage.printed == ["/name"])
            let sent = try JSONDecoder().decode(User.self, from: Data(try #require(server.lastBody).utf8))
            #expect(sent == User(name: "Grace", city: "Paris"))
            #expect(server.requests.last?.header("If-Match") == "\"2\"")
            #expect(user.content == sent)
        }

        @Test func `A row of a list is edited`() async throws {
            server.answer("GET /repos", .json(#"[{"id": 1, "isStarred": false}, {"id": 2, "isStarred": false}]"#))
            server.answer("PATCH /repos/2", .status(403), .json(#"{"id": 2, "isStarred": true}"#))
            service.decode("/repos", as: [Repo].self)
            service.decode("/repos/*", as: Repo.self)
            let repos = PagedResource(service.resource("/repos", as: [Repo].self), next: .link)
            try await repos.loadNext()
            func setStarred(_ isStarred: Bool, _ repo: Repo) {
                let pages = repos.pages.map { $0.typed(as: [Repo].self) }
                    .filter { $0.content?.contains { $0.id == repo.id } == true }  // The pages that show the row.
                let rows = pages.map { page in
                    page.edit { repos in
                        for index in repos.indices where repos[index].id == repo.id {
                            repos[index].isStarred = isStarred
                        }
                    }
                }
                service.resource("/repos/\(repo.id)", as: Repo.self)
                    .mutate(.patch, body: .json(["isStarred": isStarred]), also: rows) { $0.isStarred = isStarred }
            }
            setStarred(true, repos.items[1])
            #expect(repos.items.map(\.isStarred) == [false, true])
            try await Poll.until { !repos.items[1].isStarred }  // The server has refused the change.
            setStarred(true, repos.items[1])
            try await Poll.until { service.resource("/repos/2").pendingChanges.isEmpty }
            #expect(repos.items.map(\.isStarred) == [false, true])
            #expect(server.received == ["GET /repos", "PATCH /repos/2", "PATCH /repos/2"])
        }

        @Test func `A thread reads the lines that a person types`() async {
            server.answer("GET /users/42", .json(#"{"id": 42, "name": "Ada", "city": "London"}"#))
            stage.type("42", "43")
            let api = service
            api.decode("/users/*", as: User.self)
            for await id in typedLines() {
                do throws(RequestError) {
                    print(try await api.resource("/users/\(id)", as: User.self).get().name)
                } catch {
                    print(error.userMessage)
                }
            }
            #expect(stage.printed == ["Ada", UserMessages.current.statusPhrase(404)])
        }
    }
}
