import Foundation
import LoopbackServer
import SampleServer
import Siesta
import Testing
import Waiting

@MainActor let api = Service(baseURL: "https://api.example.com/v1")  // a global variable

final class ExampleAPI: Service {
    static let shared = ExampleAPI()  // Subclasses of Service belong to the main actor, with their static properties.

    init() { super.init(baseURL: "https://api.example.com/v1") }
}

@MainActor final class ExampleApp {
    let api = ExampleAPI()  // an object of the app that holds the service
}

nonisolated struct Headline: Codable, Sendable {
    var text: String
}

nonisolated func headline(_ data: Data) -> Headline { Headline(text: String(decoding: data, as: UTF8.self)) }

struct UserHandlers: Sendable {
    let api: Service

    func show(_ id: Int) async throws(RequestError) -> User {
        try await api.resource("/users/\(id)", as: User.self).get()
    }

    func add(_ user: User) async throws(RequestError) -> String? {
        let response = try await api.resource("/users").request(.post, body: .encoded(user)).value
        print(response.status ?? 0, response.data?.count ?? 0)
        return response.header(forKey: "Location")
    }

    func remove(_ ids: [Int]) async throws {
        try await withThrowingTaskGroup { group in
            for id in ids {
                group.addTask { try await api.resource("/users/\(id)").request(.delete).value.content(as: Void.self) }
            }
            try await group.waitForAll()
        }
    }
}

extension Samples {
    /// The article "Concurrency".
    @MainActor
    struct Concurrency {
        let server = stage.newServer()

        init() {
            server.answer("GET /v1/users/42", .json(#"{"id": 42, "name": "Ada"}"#))
        }

        @Test func `A service can be a global variable, a static property, and a property`() async throws {
            server.answer("GET /v1/name", .text("Ada"))
            for service in [api, ExampleAPI.shared, ExampleApp().api] {
                #expect(try await service.resource("/name").load().value.content() == "Ada")
            }
            #expect(server.received.count == 3)
        }

        @Test func `A transformer calls what is not isolated`() async throws {
            server.answer("GET /v1/headlines/1", .text("Rain"))
            server.answer("GET /v1/headlines/2", .json(#"{"text": "Sun"}"#))
            let api = MyAPI()
            api.configureTransformer("/headlines/1", atStage: .parsing) { headline($0.content) }
            api.decode("/headlines/2", as: Headline.self)
            #expect(try await api.resource("/headlines/1", as: Headline.self).get().text == "Rain")
            #expect(try await api.resource("/headlines/2", as: Headline.self).get().text == "Sun")
        }

        @Test func `A closure knows the type of the error`() async throws {
            let ada = MyAPI().user(42)
            func start() -> Task<Void, Never> {
                let task = Task {
                    do throws(RequestError) {
                        show(try await ada.get().name)
                    } catch {
                        show(error.userMessage)
                    }
                }
                return task
            }
            await start().value
            server.answer("GET /v1/users/42", .status(503))
            ada.invalidate()
            await start().value
            #expect(stage.printed == ["Ada", UserMessages.current.statusPhrase(503)])
        }

        @Test func `A snapshot is read off the main actor`() async throws {
            let user = MyAPI().user(42)
            _ = try await user.get(.always)
            let line = await Task.detached {
                let snapshot = user.snapshot  // Does not wait for the main actor.
                return "\(snapshot.content?.name ?? "nobody"), stale: \(snapshot.isStale)"
            }.value
            #expect(line == "Ada, stale: false")
        }

        @Test func `Handlers of a server use a service`() async throws {
            server.answer("POST /v1/users", .json("{}", status: 201, headers: ["Location: /v1/users/43"]))
            server.answer("DELETE /v1/users/1", .status(204))
            server.answer("DELETE /v1/users/2", .status(204))
            let handlers = UserHandlers(api: MyAPI())
            let answers = try await Task.detached {
                let name = try await handlers.show(42).name
                let location = try await handlers.add(User(id: 0, name: "Ann"))
                try await handlers.remove([1, 2])
                return [name, location]
            }.value
            #expect(answers == ["Ada", "/v1/users/43"])
            #expect(stage.printed == ["201 2"])
            #expect(server.received.suffix(2).sorted() == ["DELETE /v1/users/1", "DELETE /v1/users/2"])
            let error = await #expect(throws: RequestError.self) { try await handlers.remove([3]) }
            #expect(error?.httpStatusCode == 404)
        }
    }
}
