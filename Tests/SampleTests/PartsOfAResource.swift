import Foundation
import LoopbackServer
import SampleServer
import Siesta
import SiestaTesting
import Testing
import Waiting

extension Samples {
    /// The article "Parts of a resource", and the doc comments of its types.
    @MainActor
    struct PartsOfAResource {
        let server = stage.newServer()
        let service = Service(baseURL: "https://api.example.com")

        init() {
            server.answer("GET /users/42", .json(#"{"id": 42, "name": "Ada"}"#), .json(#"{"id": 42, "name": "Eve"}"#))
            service.decode("/users/*", as: User.self)
        }

        @MainActor
        final class NameScreen {
            init(_ service: Service) {
                let user = service.resource("/users/42", as: User.self)
                let name = user.select(\.name)
                name.addObserver(owner: self) { _, name in show(name) }
            }
        }

        @Test func `A screen shows a part of a resource`() async throws {
            let screen = NameScreen(service)
            let user = service.resource("/users/42", as: User.self)
            try await user.get(.always)
            user.content?.id = 43
            try await user.get(.always)
            #expect(stage.printed == ["nil", "Ada", "Eve"])
            withExtendedLifetime(screen) {}
        }

        @Test func `A loop receives the parts`() async throws {
            let user = service.resource("/users/42", as: User.self)
            let task = Task {
                for await name in user.select(\.name).values {
                    show(name)
                }
            }
            try await stage.hasPrinted("nil")
            try await user.get(.always)
            try await stage.hasPrinted("Ada")
            task.cancel()
        }

        @Test func `A part can depend on headers`() async throws {
            server.answer("GET /users", .json("[]", headers: ["X-Total: 17"]))
            let total = service.resource("/users").select { $0.header(forKey: "X-Total") }
            _ = try await service.resource("/users").get()
            #expect(total.value == "17")
        }

        @Test func `Several selections`() {
            let user = service.resource("/users/42", as: Person.self)
            let name = user.select(\.name)
            let count = user.select { $0.friends.count }
            user.content = Person(name: "Ada", friends: ["Charles"])
            #expect(name.value == "Ada")
            #expect(count.value == 1)
        }

        private struct Person: Sendable {
            var name: String
            var friends: [String]
        }

        @Test func `The same bytes are not new`() async throws {
            server.answer("GET /prices/1", .text("17"))
            service.configure("/prices/**") { $0.changeDetection = .bytes }
            let recorder = ObserverRecorder()
            let price = service.resource("/prices/1")
            price.addObserver(recorder)
            for _ in 0..<2 { _ = try await price.load().value }
            #expect(recorder.events.last == .notModified)
        }

        @Test func `A placeholder is shown until the first response`() async throws {
            let task = Task {
                let user = service.resource("/users/42", as: User.self)
                user.placeholder = User(id: 42, name: "Ada")
                for await state in user.states {
                    show(state.content?.name, isBusy: state.isPlaceholder)
                }
            }
            try await stage.hasPrinted("Ada busy")
            let user = service.resource("/users/42", as: User.self)
            _ = try await (user.get(.always), user.get(.always))
            try await stage.hasPrinted("Eve")
            task.cancel()
        }

        private struct Message {
            var timestamp: TimeInterval
        }

        @Test func `A seed is data of a known age`() async throws {
            let message = Message(timestamp: Date().timeIntervalSinceReferenceDate - 10)
            let user = service.resource("/users/42", as: User.self)
            service.seed(User(id: 42, name: "Ada"), for: user, timestamp: message.timestamp)
            #expect(try await user.get().name == "Ada")
            #expect(server.received.isEmpty)
        }

        @MainActor
        final class SwitchingScreen {
            var switcher: ResourceSwitcher<User>?

            init(_ service: Service) {
                let switcher = ResourceSwitcher(service.resource("/users/1", as: User.self))
                switcher.addObserver(owner: self) { _, state in show(state.content?.name, isBusy: state.isPrevious) }
                switcher.resource = service.resource("/users/2", as: User.self)
                switcher.loadIfNeeded()
                self.switcher = switcher
            }
        }

        @Test func `The previous user is shown until the next one has arrived`() async throws {
            server.answer("GET /users/2", .json(#"{"id": 2, "name": "Bob"}"#))
            let first = service.resource("/users/1", as: User.self)
            first.content = User(id: 1, name: "Ada")
            let screen = SwitchingScreen(service)
            try await stage.hasPrinted("Bob")
            #expect(stage.printed.contains("Ada busy"))
            #expect(screen.switcher?.content?.name == "Bob")
        }

        @MainActor
        final class ProfileScreen {
            let profile = ResourceSwitcher<User>()

            init(_ service: Service) {
                let profile = profile
                profile.resource = service.resource("/users/42", as: User.self)
                profile.addObserver(owner: self) { _, state in show(state.content?.name, isBusy: state.isPrevious) }
            }
        }

        @Test func `A screen shows one of several resources`() async throws {
            let screen = ProfileScreen(service)
            _ = try await screen.profile.loadIfNeeded()?.value
            #expect(screen.profile.content?.name == "Ada")
            #expect(stage.printed.first == "nil")
            #expect(stage.printed.last == "Ada")
        }

        @Test func `Callers choose the age of data, and what happens to running loads`() async throws {
            let account = service.resource("/users/42", as: User.self)
            let balance = try await account.get(.ifOlder(than: 5))  // At most 5 seconds old.
            let offline = try? await account.get(.cached)  // From memory or a cache, never from the network.
            let newest = try await account.get(.always)  // Asks the server in any case.
            #expect(balance.name == "Ada")
            #expect(offline?.name == "Ada")
            #expect(server.received.count == 2)
            #expect(account.content?.name == newest.name)
        }

        @Test func `A service limits its memory`() {
            service.cachedResourceCountLimit = 500
            service.cachedResourceByteLimit = 20_000_000
            service.configure("/search/**") { $0.retention = 60 }
            #expect(service.resource("/search/a").configuration.retention == 60)
        }
    }
}
