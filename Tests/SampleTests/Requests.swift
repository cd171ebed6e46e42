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
                one.request(.patch, body: .json(["name": "Ada"]))
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
            one.load(using: one.request(.put, body: .encoded(User(id: 42, name: "Ada"))))
            try await Poll.until { one.latestData != nil }
            #expect(one.typedContent().map { (user: User) in user.name } == "Ada L.")
            #expect(server.received == ["PUT /v1/users/42"])
        }

        @Test func `await returns entities, values and responses`() async throws {
            server.answer("POST /v1/users", .json(#"{"id": 43, "name": "Ann"}"#, status: 201))
            server.answer("POST /v1/reports", .json("{}", status: 202, headers: ["Location: /v1/reports/1"]))
            let users = api.resource("/users")
            let one = users.child("42")
            let user = try await one.load().value
            print(user.header(forKey: "ETag") ?? "no tag", user.content)
            let created = try await users.request(.post, body: .encoded(User(id: 0, name: "Ann"))).value.decoded(
                as: User.self)
            let report = try await api.resource("/reports").request(.post, body: .json(["year": 2026])).value
            print(report.status ?? 0, report.header(forKey: "Location") ?? "no location")
            #expect(stage.printed == ["\"1\" User(id: 42, name: \"Ada\")", "202 /v1/reports/1"])
            #expect(server.lastBody == #"{"year":2026}"#)
            #expect(created.id == 43)
        }

        @Test func `A chain requests what the first response names`() async throws {
            server.answer("POST /v1/reports", .json("{}", status: 201, headers: ["Location: /v1/reports/1"]))
            server.answer("GET /v1/reports/1", .json(#"{"year": 2026}"#))
            let reports = api.resource("/reports")
            let report = reports.request(.post, body: .json(["year": 2026])).chained { info in
                guard case .success(let created) = info.response, let place = created.header(forKey: "Location") else {
                    return .useThisResponse
                }
                return .passTo(reports.relative(place).request(.get))
            }
            let year = try await report.value.jsonDict["year"] as? Int  // sample.hidden
            report.cancel()
            #expect(year == 2026)
            #expect(server.received == ["POST /v1/reports", "GET /v1/reports/1"])
        }
    }
}
