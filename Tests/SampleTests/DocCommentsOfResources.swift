import Foundation
import LoopbackServer
import SampleServer
import Siesta
import Testing
import Waiting

extension TypedContentAccessors {
    var user: User? { typedContent() }
}

extension Samples {
    /// The doc comments of resources, requests and transfers.
    @MainActor
    struct DocCommentsOfResources {
        let server = stage.newServer()
        let service = Service(baseURL: "https://api.example.com")
        let temporary = SampleFolder()
        var folder: URL { temporary.url }

        init() {
            server.answer("GET /users/42", .json(#"{"id": 42, "name": "Ada"}"#))
            service.decode("/users/*", as: User.self)
        }

        @Test func `A typed resource has typed content`() async throws {
            let user = service.resource("/users/42", as: User.self)
            let present = user.content  // User?
            let loaded = try await user.get(.always)  // User
            #expect(present == nil)
            #expect(loaded.name == "Ada")
        }

        @Test func `A request has a value`() async throws {
            let user = try await service.resource("/users/42").load().value
            #expect(user.user?.name == "Ada")
        }

        @Test func `The response to a change is the new content`() async throws {
            server.answer("PATCH /users/42", .json(#"{"id": 42, "name": "Ada L."}"#))
            let user = service.resource("/users/42", as: User.self)
            _ = try await user.load(using: user.request(.patch, body: .json(["name": "Ada"]))).value
            #expect(user.content?.name == "Ada L.")
        }

        @Test func `A response can have no content`() async throws {
            server.answer("DELETE /users/42", .status(204), .status(403))
            let user = service.resource("/users/42", as: User.self)
            try await user.request(.delete).value.content(as: Void.self)
            let error = await #expect(throws: RequestError.self) {
                try await user.request(.delete).value.content(as: Void.self)
            }
            #expect(error?.httpStatusCode == 403)
        }

        @Test func `A response has a status and headers`() async throws {
            server.answer("POST /reports", .json("{}", status: 202, headers: ["Location: /reports/1"]))
            let response = try await service.resource("/reports").request(.post, body: .json(["year": 2026])).value
            print(response.status ?? 0, response.header(forKey: "Location") ?? "no location")
            #expect(stage.printed == ["202 /reports/1"])
        }

        @Test func `A response is decoded`() async throws {
            server.answer("POST /users", .json(#"{"id": 43, "name": "Ada"}"#, status: 201))
            let ada = User(id: 0, name: "Ada")
            let users = service.resource("/users")
            let created = try await users.request(.post, body: .encoded(ada)).value.decoded(as: User.self)
            #expect(created.id == 43)
            #expect(server.lastBody?.contains(#""name":"Ada""#) == true)
        }

        @Test func `A link leads to a typed resource`() async throws {
            struct Page: Codable, Sendable {
                let users: [User]
            }
            server.answer("GET /users?page=2", .json(#"{"users": []}"#))
            service.decode("/users", as: Page.self)
            let page = service.resource("/users", as: Page.self)
            let next = page.relative("?page=2", as: Page.self)
            #expect(try await next.get().users.isEmpty)
        }

        @MainActor
        final class Screen {
            func observe(_ user: TypedResource<User>) {
                user.addObserver(owner: self) { user, event in print(event, user.content?.name ?? "nobody") }
            }
        }

        @Test func `A closure observes a typed resource`() async throws {
            let user = service.resource("/users/42", as: User.self)
            let screen = Screen()
            screen.observe(user)
            try await user.get(.always)
            try await Poll.until { stage.printed.count == 3 }
            #expect(stage.printed == ["observerAdded nobody", "requested nobody", "newData(network) Ada"])
            withExtendedLifetime(screen) {}
        }

        @Test func `A template expands`() throws {
            let template = try URITemplate("/repos/{owner}/{repo}{?page,per_page}")
            print(try template.expanded(with: ["owner": "apple", "repo": "swift", "page": 2]))
            #expect(stage.printed == ["/repos/apple/swift?page=2"])
        }

        @Test func `Events and states are sequences`() async throws {
            let isBusy = Gate()
            server.answer(
                "GET /users/42",
                .script {
                    try $0.wait(for: isBusy)
                    try $0.respond(headers: ["Content-Type: application/json"], text: #"{"id": 42, "name": "Ada"}"#)
                })
            let resource = service.resource("/users/42")
            let events = Task {
                for await change in resource.events {
                    if change.missed > 0 { print("\(change.missed) events were dropped.") }
                    print(change.event)
                }
            }
            let states = Task {
                for await state in resource.states {
                    show(state.data, state.error, isBusy: state.isLoading)
                }
            }
            try await stage.hasPrinted("nil nil")
            resource.load()
            try await stage.hasPrinted("nil nil busy")
            isBusy.open()
            try await stage.hasPrinted("newData(network)")
            try await stage.hasPrinted("Entity")
            events.cancel()
            states.cancel()
            #expect(stage.printed.contains("requested"))
        }

        @Test func `A form is uploaded`() async throws {
            server.answer("POST /albums/7", .status(204))
            let album = service.resource("/albums/7")
            let photoURL = try temporary.file("photo.jpg", Data("picture".utf8))
            var form = MultipartForm()
            form.append("Holiday", name: "title")
            form.append(file: photoURL, name: "photo", contentType: "image/jpeg")
            album.request(.post, body: .multipart(form)).onProgress { print("\(Int($0 * 100)) %") }
            try await Poll.until { server.received == ["POST /albums/7"] }
            #expect(server.lastBody?.contains("picture") == true)
            try await stage.hasPrinted("100 %")
        }

        @Test func `Requests have bodies of several kinds`() async throws {
            server.answer("POST /users", .json(#"{"id": 43, "name": "Ada"}"#, status: 201))
            server.answer("PUT /portrait", .status(204))
            server.answer("POST /words", .status(204))
            let photoURL = try temporary.file("photo.jpg", Data("picture".utf8))
            let (users, ada) = (service.resource("/users"), User(id: 0, name: "Ada"))
            let (portrait, words) = (service.resource("/portrait"), service.resource("/words"))
            let creation = users.request(.post, body: .encoded(ada))
            let upload = portrait.request(.put, body: .file(photoURL, contentType: "image/jpeg"))
            let search = words.request(.post, body: .form(["text": "swift"]))
            #expect(try await creation.value.status == 201)
            #expect(try await upload.value.status == 204)
            #expect(try await search.value.status == 204)
            #expect(server.received.sorted() == ["POST /users", "POST /words", "PUT /portrait"])
        }

        @Test func `A response is awaited`() async throws {
            server.answer("POST /users", .json(#"{"id": 43, "name": "Ada"}"#, status: 201))
            server.answer("POST /reports", .json("{}", status: 202, headers: ["Location: /reports/1"]))
            let (api, users, ada) = (service, service.resource("/users"), User(id: 0, name: "Ada"))
            let created = try await users.request(.post, body: .encoded(ada)).value.decoded(as: User.self)
            let report = try await api.resource("/reports").request(.post, body: .json(["year": 2026])).value
            print(report.status ?? 0, report.header(forKey: "Location") ?? "no location")
            #expect(created.id == 43)
            #expect(stage.printed == ["202 /reports/1"])
        }

        @Test func `A response is downloaded`() async throws {
            server.answer("GET /manual", .bytes(Data("pages".utf8)))
            let manual = service.resource("/manual")
            let request = manual.download(to: folder.appendingPathComponent("manual.pdf"))
            let file = try await request.value.content(as: URL.self)
            #expect(try Data(contentsOf: file) == Data("pages".utf8))
        }

        @Test func `Bytes and lines are read while they arrive`() async throws {
            struct Hash {
                var sum = 0
                mutating func update(data: Data) { sum += data.reduce(0) { $0 + Int($1) } }
            }
            server.answer("GET /log", .text("a\nb\n"))
            let resource = service.resource("/log")
            var hash = Hash()
            for try await piece in resource.bytes { hash.update(data: piece) }
            for try await line in resource.lines { print(line) }
            #expect(hash.sum == 97 + 10 + 98 + 10)
            #expect(stage.printed == ["a", "b"])
        }
    }
}
