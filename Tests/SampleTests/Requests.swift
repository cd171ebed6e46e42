import Foundation
import LoopbackServer
import SampleServer
import Siesta
import Testing
import Waiting

extension Samples {
    /// The article "Requests".
    @MainActor
    struct Requests {
        let server = stage.newServer()
        let api = MyAPI()

        init() {
            server.answer("GET /v1/users/42", .json(#"{"id": 42, "name": "Ada"}"#, headers: ["ETag: \"1\""]))
        }

        @Test func `Hooks run when a request completes or makes progress`() async throws {
            server.answer("PATCH /v1/users/42", .status(204), .status(422))
            let one = api.resource("/users/42")
            func sendChange() {
                one.request(.patch, body: ["name": "Ada"])
                    .onSuccess { _ in one.load() }
                    .onFailure { error in print(error.userMessage) }
                    .onProgress { print("\(Int($0 * 100)) %") }
            }
            sendChange()
            try await Poll.until { one.latestData != nil }
            #expect(stage.printed.last == "100 %")
            #expect(server.received == ["PATCH /v1/users/42", "GET /v1/users/42"])
            sendChange()
            try await stage.hasPrinted(UserMessages.current.statusPhrase(422))
        }

        @Test func `The response of a PUT can be the new state`() async throws {
            server.answer("PUT /v1/users/42", .json(#"{"id": 42, "name": "Ada L."}"#))
            let one = api.resource("/users/42")
            api.decode("/users/*", as: User.self, requestMethods: [.put])
            one.load(using: one.request(.put, body: User(id: 42, name: "Ada")))
            try await Poll.until { one.latestData != nil }
            #expect(one.typedContent().map { (user: User) in user.name } == "Ada L.")
            #expect(server.received == ["PUT /v1/users/42"])
        }

        @Test func `await returns entities, values and responses`() async throws {
            server.answer("POST /v1/users", .json(#"{"id": 43, "name": "Ann"}"#, status: 201))
            server.answer("POST /v1/reports", .json("{}", status: 202, headers: ["Location: /v1/reports/1"]))
            let users = api.resource("/users")
            let one = users.child("42")
            let entity = try await one.load().value
            print(entity.etag ?? "no tag", entity.content)
            let created = try await users.request(.post, body: User(id: 0, name: "Ann")).decoded(as: User.self)
            let report = try await api.resource("/reports").request(.post, json: ["year": 2026]).finished()
            print(report.status ?? 0, report.header(forKey: "Location") ?? "no location")
            #expect(stage.printed == ["\"1\" User(id: 42, name: \"Ada\")", "202 /v1/reports/1"])
            #expect(server.lastBody == #"{"year":2026}"#)
            #expect(created.id == 43)
        }

        @Test func `A chain logs in and tries again`() async throws {
            server.answer("PUT /v1/users/42", .status(401), .json(#"{"id": 42, "name": "Ada"}"#))
            server.answer("POST /v1/session", .status(204))
            api.decode("/users/*", as: User.self, requestMethods: [.put])
            let one = api.resource("/users/42")
            let created = User(id: 42, name: "Ada")
            let change = one.request(.put, body: created).chained { info in
                guard case .failure(let error) = info.response, error.httpStatusCode == 401 else {
                    return .useThisResponse
                }
                let login = api.resource("/session").request(.post, urlEncoded: ["user": "ada"])
                return .passTo(login.chained { _ in .passTo(one.request(.put, body: created)) })
            }
            let changed: User = try await change.content()  // sample.hidden
            change.cancel()
            #expect(changed.name == "Ada")
            #expect(server.received == ["PUT /v1/users/42", "POST /v1/session", "PUT /v1/users/42"])
        }
    }
}
