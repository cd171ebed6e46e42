import Foundation
import LoopbackServer
import SampleServer
import Siesta
import SiestaStorage
import Testing
import Waiting

#if SQLite
import SiestaSQLite
#endif
#if Encryption
import SiestaEncryption
#endif

extension Samples {
    /// The article "Working without a network", and the doc comments of the outbox.
    @MainActor
    struct KeepingChanges {
        nonisolated struct User: Codable, Equatable, Sendable {
            var id = 42
            var name = "Ada"
        }

        nonisolated struct Post: Codable, Equatable, Sendable {
            var title = "Draft"
        }

        let server = stage.newServer()
        let service = Service(baseURL: "https://api.example.com")
        let temporary = SampleFolder()
        var folder: URL { temporary.url }

        private func loadedUser() async throws -> TypedResource<User> {
            service.decode("/users/*", as: User.self)
            server.answer("GET /users/42", .json(#"{"id": 42, "name": "Ada"}"#))
            let user: TypedResource<User> = service.resource("/users/42").typed()
            try await user.get(.always)
            return user
        }

        @Test func `A change is kept until it is confirmed`() async throws {
            service.outbox = Outbox(at: folder)
            let user = try await loadedUser()  // sample.hidden
            server.answer("PATCH /users/42", .json(#"{"id": 42, "name": "Grace"}"#))  // sample.hidden
            let change = user.mutate(.patch, body: .json(["name": "Grace"]), durable: true) { $0.name = "Grace" }
            try await change.accepted()
            #expect(user.content?.name == "Grace")
            let outbox = try #require(service.outbox)
            try await Poll.until { outbox.entries.isEmpty }
            await outbox.close()
        }

        @Test func `An outbox is done when it has settled without entries`() async throws {
            service.outbox = Outbox(at: folder)
            let outbox = try #require(service.outbox)
            let user = try await loadedUser()
            server.answer("PATCH /users/42", .status(422))
            func report() async {
                await outbox.settled()
                if outbox.entries.isEmpty {
                    show("All changes are on the server.")
                } else {
                    let undecided = outbox.entries.filter(\.state.needsDecision)
                    show("\(outbox.entries.count) changes are kept,", "\(undecided.count) of them need a decision.")
                }
            }
            for name in ["Grace", "Edith"] {
                let change = user.mutate(.patch, body: .json(["name": name]), durable: true) { $0.name = name }
                try await change.accepted()
            }
            // The last response may still be on its way.
            try await Poll.until { outbox.entries.contains { $0.state.needsDecision } }
            await report()
            for entry in outbox.entries.reversed() { try await outbox.drop(entry.id) }
            await report()
            #expect(
                stage.printed == [
                    "2 changes are kept, 1 of them need a decision.", "All changes are on the server.",
                ])
            await outbox.close()
        }

        #if SQLite
        @Test func `A database is an outbox`() async throws {
            service.outbox = .sqlite(at: folder.appendingPathComponent("changes.db"))
            try await changeIsSent()
            #expect(FileManager.default.fileExists(atPath: folder.appendingPathComponent("changes.db").path))
        }
        #endif

        #if Encryption
        @Test func `Changes are encrypted`() async throws {
            let key = try AESGCMSealing.newKey()
            let sealing = try AESGCMSealing(key: key)
            service.outbox = Outbox(at: folder, sealing: sealing)
            try await changeIsSent()
        }
        #endif

        private func changeIsSent() async throws {
            let user = try await loadedUser()
            server.answer("PATCH /users/42", .json(#"{"id": 42, "name": "Grace"}"#))
            try await user.mutate(.patch, body: .json(["name": "Grace"]), durable: true) { $0.name = "Grace" }
                .accepted()
            let outbox = try #require(service.outbox)
            try await Poll.until { outbox.entries.isEmpty }
            #expect(server.received.contains("PATCH /users/42"))
            await outbox.close()
        }

        @Test func `The app decides about refused changes`() async throws {
            service.outbox = Outbox(at: folder)
            let user = try await loadedUser()
            server.answer("PATCH /users/42", .status(422))
            user.mutate(.patch, body: .json(["name": "Grace"]), durable: true) { $0.name = "Grace" }
            let outbox = try #require(service.outbox)
            try await Poll.until { outbox.entries.contains { $0.state.needsDecision } }
            for entry in outbox.entries where entry.state.needsDecision {
                try await outbox.drop(entry.id)  // Or: retry(entry.id), edit(entry.id) { … }.
            }
            #expect(user.content?.name == "Ada")
            await outbox.close()
        }

        @Test func `A created resource is changed`() async throws {
            service.outbox = Outbox(at: folder)
            let posts: TypedResource<[Post]> = service.resource("/posts").typed()
            posts.content = []
            let post = Post()
            server.answer("POST /posts", .json("{}", status: 201, headers: ["Location: /posts/7"]))
            server.answer("PATCH /posts/7", .json("{}"))
            let draft = posts.mutate(.post, body: .encoded(post), durable: true) { $0.append(post) }
            draft.mutateCreated(.patch, body: .json(["title": "News"]))
            let outbox = try #require(service.outbox)
            try await Poll.until { server.received.contains("PATCH /posts/7") }
            await outbox.close()
        }
    }
}
