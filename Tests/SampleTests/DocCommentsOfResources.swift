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
            let loaded = try await user.load()  // User
            #expect(present == nil)
            #expect(loaded.name == "Ada")
        }

        @Test func `A request has a value`() async throws {
            let user = try await service.resource("/users/42").load().value
            #expect(user.user?.name == "Ada")
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
            album.upload(.post, multipart: form)
            try await Poll.until { server.received == ["POST /albums/7"] }
            #expect(server.lastBody?.contains("picture") == true)
        }

        @Test func `A response is downloaded`() async throws {
            server.answer("GET /manual", .bytes(Data("pages".utf8)))
            let manual = service.resource("/manual")
            let request = manual.download(to: folder.appendingPathComponent("manual.pdf"))
            let file = try await request.content(as: URL.self)
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
