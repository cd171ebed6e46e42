import Foundation
import LoopbackServer
import SampleServer
import Siesta
import SiestaTesting
import SiestaUI
import Testing
import Waiting

nonisolated func names(of ids: [Int], from api: MyAPI) async throws -> [String] {
    try await withThrowingTaskGroup(of: String.self) { group in
        for id in ids {
            group.addTask { try await api.user(id).get().name }
        }
        return try await group.reduce(into: []) { $0.append($1) }
    }
}

extension Samples {
    /// The README, and two further forms of its code. Its program is the beginning of `Snippets/Quickstart.swift`; the file for "Getting started"
    /// contains `MyAPI`.
    @MainActor
    struct ReadMe {
        let server = stage.newServer()

        @Test func `The first lines of the README`() async throws {
            server.answer("GET /v1/users/42", .json(#"{"id": 42, "name": "Ada"}"#))
            server.answer("PATCH /v1/users/42", .json(#"{"id": 42, "name": "Grace"}"#))
            let api = Service(baseURL: "https://api.example.com/v1")
            api.decode("/users/*", as: User.self)
            let ada = api.resource("/users/42", as: User.self)

            print(try await ada.get().name)  // Sends a request only if the data is not fresh.
            let screen = Task {  // Receives the current state, and the new state after each change.
                for await state in ada.states { show(state.content?.name, state.isLoading, state.error?.userMessage) }
            }
            try await stage.hasPrinted("Ada false nil")  // sample.hidden
            ada.mutate(.patch, body: .json(["name": "Grace"])) { $0.name = "Grace" }  // Shown at once.
            try await stage.hasPrinted("Grace false nil")
            try await Poll.until { !ada.resource.isOptimistic }
            screen.cancel()
            #expect(ada.content?.name == "Grace")
            #expect(server.received == ["GET /v1/users/42", "PATCH /v1/users/42"])
        }

        @Test func `A photo is uploaded with its progress`() async throws {
            server.answer("POST /v1/albums/7", .status(201))
            let (api, temporary) = (MyAPI(), SampleFolder())
            let photo = try temporary.file("photo.jpg", Data("picture".utf8))
            var form = MultipartForm()
            form.append(file: photo, name: "photo", contentType: "image/jpeg")
            let upload = api.resource("/albums/7").request(.post, body: .multipart(form))
            upload.onProgress { show("\(Int($0 * 100)) %") }
            _ = try await upload.value
            #expect(stage.printed.last == "100 %")
            #expect(server.lastBody?.contains("\r\n\r\npicture\r\n") == true)
        }

        @Test func `Many places use one resource`() async throws {
            server.answer("GET /v1/users/42", .json(#"{"id": 42, "name": "Augusta"}"#))
            server.answer("PATCH /v1/users/42", .status(204))
            let api = MyAPI()
            let ada = api.user(42)

            let user = try await ada.get()  // Sends a request only if the data is not fresh.
            let screen = Task {  // Shows the current state, and the new state after each change.
                for await state in ada.states { show(state.content, state.error) }
            }
            try await stage.hasPrinted("User(id: 42, name: \"Augusta\")")  // sample.hidden
            ada.content?.name = "Ada"  // A local change, which all observers see at once.
            _ = try await ada.request(.patch, body: .json(["name": "Ada"])).value  // Sends the change to the server.
            try await stage.hasPrinted("User(id: 42, name: \"Ada\")")
            screen.cancel()
            #expect(user.name == "Augusta")
            #expect(stage.printed.allSatisfy { $0.hasSuffix(" nil") })
            #expect(server.received == ["GET /v1/users/42", "PATCH /v1/users/42"])
            #expect(server.lastBody == #"{"name":"Ada"}"#)
        }

        @Test func `Responses are decoded, and errors are caught`() async throws {
            server.answer("POST /v1/users", .json(#"{"id": 43, "name": "Ann"}"#, status: 201), .status(404))
            server.answer("POST /v1/reports", .json("{}", status: 202, headers: ["Location: /v1/reports/1"]))
            let api = MyAPI()
            for _ in 1...2 {
                do throws(RequestError) {
                    let users = api.resource("/users")
                    let created = try await users.request(.post, body: .json(["name": "Ann"])).value.decoded(
                        as: User.self)
                    let report = try await api.resource("/reports").request(.post, body: .json(["year": 2026])).value
                    show(created.name, report.status, report.header(forKey: "Location"))
                } catch {
                    show(error.userMessage)  // For example "Not found". In code, use `error.code`.
                }
            }
            #expect(stage.printed == ["Ann 202 /v1/reports/1", UserMessages.current.statusPhrase(404)])
        }

        @Test func `Data is kept fresh`() async throws {
            server.answer("GET /v1/users/42", .json(#"{"id": 42, "name": "Ada"}"#))
            let api = MyAPI()
            let ada = api.user(42)
            api.configure {
                $0.useRecommendedReloading()  // Retries, and loads when the app or the network returns.
                $0.pacing = .standard  // Requests wait if the server asks for it.
            }
            let display = Task {  // Loads the user every 30 seconds, as long as the loop runs.
                for await state in ada.states(pollingEvery: 30) { show(state.content, state.retry?.number) }
            }
            try await stage.hasPrinted("User(id: 42, name: \"Ada\")")
            display.cancel()
            await display.value
            #expect(server.received == ["GET /v1/users/42"])
        }

        @Test func `A user signs in and out`() async throws {
            server.answer("GET /v1/users/42", .json(#"{"id": 42, "name": "Ada"}"#))
            let (api, temporary, accessToken, refreshToken) = (MyAPI(), SampleFolder(), "a1", "r1")
            let file = temporary.url.appendingPathComponent("session")
            let tokenURL = try #require(URL(string: "https://auth.example.com/token"))
            let oauth = OAuth2(tokenURL: tokenURL, clientID: "my-app", credentials: .file(at: file))
            api.authenticate(with: oauth)
            try await api.signIn("ada", with: Credential(accessToken, refreshToken: refreshToken))
            _ = try await api.user(42).get()  // sample.hidden
            show(api.principal)
            await api.signOut()  // Ends the user's requests, and removes the user's data, also from the disk.
            #expect(stage.printed == ["ada"])
            #expect(api.user(42).content == nil)
            #expect(server.requests.map { $0.header("Authorization") } == ["Bearer a1"])
        }

        @Test func `A task group loads many users`() async throws {
            for id in 1...20 { server.answer("GET /v1/users/\(id)", .json(#"{"id": \#(id), "name": "U\#(id)"}"#)) }
            let api = MyAPI()
            #expect(try await Set(names(of: Array(1...20), from: api)) == Set((1...20).map { "U\($0)" }))
            #expect(server.received.count == 20)
        }

        @MainActor @Test func `An old user is loaded again`() async throws {
            let (network, clock) = (StubNetwork(), TestClock())
            network.answer(.get, "/v1/users/42", with: .json(#"{"id": 42, "name": "Ada"}"#), .response(404))
            let api = clock.whileCurrent { MyAPI(networking: network) }  // The service keeps this clock.
            let ada = api.user(42)
            #expect(try await ada.get().name == "Ada")
            clock.advance(by: 301)
            await #expect(throws: RequestError.self) { try await ada.get() }
            #expect(ada.error?.userMessage == "Not found")
            #expect(network.requests.count == 2)
        }

        /// A screen of an app for Siesta 1.5.
        @MainActor
        final class UserScreen: ResourceObserver {
            var events: [ResourceEvent] = []

            func resourceChanged(_ resource: Resource, event: ResourceEvent) {
                events.append(event)
            }

            func start(_ api: MyAPI) {
                api.user(42).resource.addObserver(self).loadIfNeeded()
                api.user(42).resource.request(.patch, json: ["name": "Ada"])
                    .onSuccess { _ in api.user(42).resource.load() }
                    .onFailure { error in show(error.userMessage) }
            }
        }

        @Test func `A model decides the status of a screen`() async throws {
            server.answer("GET /v1/users/42", .status(404))
            let ada = MyAPI().user(42)
            let status = StatusOverlayModel(displayPriority: .dataFirst)
            status.add(ada)
            status.onChange = { show(status.display.cover, status.display.message?.line) }
            await #expect(throws: RequestError.self) { try await ada.get() }
            #expect(stage.printed.last == "failure Could not load · Not found")
            status.onChange = nil
        }

        @Test func `The callbacks of Siesta 1.5 work on the same resources`() async throws {
            let loaded = Gate()
            server.answer(
                "GET /v1/users/42", .json(#"{"id": 42, "name": "Augusta"}"#), .json(#"{"id": 42, "name": "Ada"}"#))
            server.answer(
                "PATCH /v1/users/42",
                .script {
                    try $0.wait(for: loaded)
                    try $0.respond(204)
                },
                .status(503))
            let api = MyAPI()
            let screen = UserScreen()
            screen.start(api)
            try await Poll.until { api.user(42).content?.name == "Augusta" }
            loaded.open()
            try await Poll.until { api.user(42).content?.name == "Ada" }
            #expect(
                screen.events == [
                    .observerAdded, .requested, .newData(.network), .requested, .newData(.network),
                ])
            screen.start(api)
            try await stage.hasPrinted("")
            #expect(stage.printed == [UserMessages.current.statusPhrase(503)])
            #expect(server.received.count == 4)
        }
    }
}
