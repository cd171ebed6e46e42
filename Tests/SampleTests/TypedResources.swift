import Dispatch
import Foundation
import LoopbackServer
import SampleServer
import Siesta
import Testing
import Waiting

extension Samples {
    /// The article "Typed resources".
    @MainActor
    struct TypedResources {
        let server = stage.newServer()
        let service = Service(baseURL: "https://api.example.com")

        init() {
            server.answer("GET /users/42", .json(#"{"id": 42, "name": "Augusta"}"#))
        }

        @Test func `A typed resource is a view of a resource`() async throws {
            service.decode("/users/*", as: User.self)
            let user = service.resource("/users/42", as: User.self)

            print(user.content?.name ?? "no data")  // The current content. This line sends no request.
            let fresh = try await user.get()  // Sends a request only if the data is not fresh.
            let newest = try await user.get(.always)  // Always sends a request.
            user.content = User(id: 42, name: "Ada")
            print(user.resource === service.resource("/users/42"))  // true
            #expect(stage.printed == ["no data", "true"])
            #expect(fresh.name == "Augusta")
            #expect(newest.name == "Augusta")
            #expect(user.content?.name == "Ada")
            #expect(server.received == ["GET /users/42", "GET /users/42"])
        }

        @Test func `The decoder of the service decodes`() async throws {
            server.answer("GET /teams/7", .json(#"[{"id": 42, "name": "Ada"}]"#))
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            service.configure { $0.jsonDecoder = decoder }
            service.decode("/teams/*", as: [User].self)
            let team = try await service.resource("/teams/7", as: [User].self).get()
            #expect(team.map(\.name) == ["Ada"])
        }

        @Test func `Content can depend on headers`() async throws {
            server.answer("GET /users", .json(#"[{"id": 42, "name": "Ada"}]"#, headers: ["Link: </users?page=2>"]))
            struct Page: Sendable {
                let users: [User]
                let next: String?
            }
            service.decode("/users", as: [User].self) { Page(users: $0.content, next: $0.header(forKey: "Link")) }
            let firstPage = try await service.resource("/users", as: Page.self).get()
            #expect(firstPage.users.map(\.id) == [42])
            #expect(firstPage.next == "</users?page=2>")
        }

        @Test func `A change is shown before the server has confirmed it`() async throws {
            let mayRespond = DispatchSemaphore(value: 0)
            let late = SampleAnswer.script { exchange in
                mayRespond.wait()
                try? exchange.respond(204)
            }
            server.answer("PATCH /users/42", .status(204), .status(409), late)
            service.decode("/users/*", as: User.self)
            let user = service.resource("/users/42", as: User.self)
            func changeName() async {
                let before = user.entity
                user.content?.name = "Grace"  // All observers see the new name at once.
                do {
                    _ = try await user.request(.patch, body: .json(["name": "Grace"])).value
                } catch  where error.isCancellation {
                    user.invalidate()  // The next loadIfNeeded() asks the server.
                } catch {
                    user.entity = before  // Restores the content, its headers and its age.
                }
            }
            _ = try await user.get(.always)
            await changeName()
            #expect(user.content?.name == "Grace")
            #expect(server.lastBody == #"{"name":"Grace"}"#)
            _ = try await user.get(.always)
            await changeName()
            #expect(user.content?.name == "Augusta")
            let change = Task { await changeName() }
            while !user.isRequesting { await Task.yield() }
            service.wipeResources(includingCaches: true)
            await change.value
            mayRespond.signal()
            #expect(user.content == nil)
        }

        @Test func `A value is sent, and the response is decoded`() async throws {
            server.answer("POST /users", .json(#"{"id": 43, "name": "Ann"}"#, status: 201))
            let newest = User(id: 0, name: "Ann")
            let users = service.resource("/users", as: [User].self)
            let created = try await users.request(.post, body: .encoded(newest)).value.decoded(as: User.self)
            #expect(created.id == 43)
            #expect(server.lastBody?.contains(#""name":"Ann""#) == true)
        }

        @Test func `The response to a change is the new content`() async throws {
            server.answer("PUT /users/42", .json(#"{"id": 42, "name": "Grace H."}"#), .json("[]"))
            service.decode("/users/*", as: User.self)
            let user = service.resource("/users/42", as: User.self)
            let save = user.load(using: user.request(.put, body: .encoded(User(id: 42, name: "Grace"))))
            let changed = try await save.value.content(as: User.self)
            #expect(changed.name == "Grace H.")
            #expect(server.lastBody?.contains(#""name":"Grace""#) == true)
            await #expect(throws: RequestError.self) {
                try await user.load(using: user.request(.put, body: .encoded(User(id: 42, name: "Grace")))).value
            }
            #expect(user.content?.name == "Grace H.")
        }

        @Test func `Typed resources lead to related resources`() async throws {
            server.answer("GET /users/42/friends", .json(#"[{"id": 43, "name": "Grace"}]"#))
            server.answer("GET /users?page=2", .json(#"[{"id": 44, "name": "Ann"}]"#))
            service.decode("/users/*", as: User.self)
            service.decode("/users", as: [User].self)
            service.decode("/users/*/friends", as: [User].self)
            let users = service.resource("/users", as: [User].self)
            let ada = users.child("42", as: User.self)
            let friends = ada.relative("42/friends", as: [User].self)
            let secondPage = users.withParam("page", "2")  // The type of the content is the same.
            #expect(try await ada.get(.always).name == "Augusta")
            #expect(try await friends.get(.always).map(\.name) == ["Grace"])
            #expect(try await secondPage.get(.always).map(\.name) == ["Ann"])
        }

        @MainActor
        final class NameLabel {
            init(_ user: TypedResource<User>) {
                user.addObserver(owner: self) { user, event in
                    print(event, user.content?.name ?? "nobody", user.isStale, user.date ?? .distantPast)
                }
                .loadIfNeeded()
            }
        }

        @Test func `The closure of an observer receives the typed resource`() async throws {
            service.decode("/users/*", as: User.self)
            let label = NameLabel(service.resource("/users/42", as: User.self))
            try await stage.hasPrinted("newData(network) Augusta false")
            #expect(stage.printed.first == "observerAdded nobody true \(Date.distantPast)")
            #expect(stage.printed.count == 3)
            withExtendedLifetime(label) {}
        }

        @Test func `A template and variables lead to a URL`() async throws {
            let page = service.resource(
                template: "/repos/{owner}/{repo}{?page,per_page}", ["owner": "apple", "repo": "swift", "page": 2]
            ).typed(as: User.self)
            print(page.url.absoluteString)
            #expect(stage.printed.first?.hasSuffix("/repos/apple/swift?page=2") == true)
            service.decode("/repos/**", as: User.self)
            server.answer("GET /repos/apple/swift?page=2", .json(#"{"id": 1, "name": "Swift"}"#))
            #expect(try await page.get(.always).name == "Swift")
        }
    }
}
