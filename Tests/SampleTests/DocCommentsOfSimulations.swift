import Foundation
import SampleServer
import Siesta
import SiestaTesting
import Testing

extension Samples {
    /// The doc comments about faulty networks, schedules, settled services, leaks and previews. These samples need no
    /// server.
    @MainActor
    struct DocCommentsOfSimulations {
        let server = stage.newServer()
        let clock = TestClock()
        let stub = StubNetwork()

        init() {
            stub.handler = { _ in .json(#"{"name": "Ada"}"#) }
        }

        @Test func `A faulty network adds faults to another network`() async throws {
            let network = FaultyNetwork(stub, seed: 7, rates: .severe)
            let service = clock.whileCurrent { Service(baseURL: "https://api.test", networking: network) }
            for path in ["/1", "/2", "/3", "/4"] { service.resource(path).load() }
            try await clock.advanceUntilSettled(service)
            #expect(network.log.count == 4)
            #expect(network.log.contains { !$0.hasSuffix("no fault") })
        }

        @MainActor
        final class BookApp {
            struct Screen {
                var book: Int?
                var isConsistent: Bool { book.map { (0..<3).contains($0) } ?? true }
            }

            let clock = TestClock()
            let service: Service
            var screen = Screen()

            init(seed: UInt64) {
                let stub = StubNetwork()
                stub.handler = { _ in .json(#"{"title": "Dune"}"#) }
                service = clock.whileCurrent {
                    Service(baseURL: "https://api.test", networking: FaultyNetwork(stub, seed: seed))
                }
            }

            var isOpen: Bool { screen.book != nil }
            func open(book: Int) {
                screen.book = book
                service.resource("/books/\(book)").loadIfNeeded()
            }
            func close() { screen.book = nil }
        }

        @Test func `A schedule takes random steps`() async throws {
            let schedule = Schedule { seed in
                BookApp(seed: seed)
            } invariant: {
                $0.screen.isConsistent
            } steps: {
                ScheduleStep("open", 0..<3) { app, number in app.open(book: number) }
                ScheduleStep("close", when: { $0.isOpen }) { app in app.close() }
                ScheduleStep("wait") { app in try await app.clock.advance(by: 1, settling: app.service) }
            }
            try await schedule.run(steps: 40, seeds: 0..<100)
        }

        @MainActor
        final class ProfileScreen {
            let user: Resource
            var title: String { user.jsonDict["name"] as? String ?? "" }

            init(_ user: Resource) { self.user = user }

            func appear() { user.loadIfNeeded() }
        }

        @Test func `A test waits until the service has settled`() async throws {
            let service = Service(baseURL: "https://api.test", networking: stub)
            let screen = ProfileScreen(service.resource("/users/42"))
            screen.appear()
            try await service.settled()
            #expect(screen.title == "Ada")
        }

        @Test func `A test advances the clock until the service has settled`() async throws {
            let service = clock.whileCurrent { Service(baseURL: "https://api.test", networking: stub) }
            service.configure { $0.retry = .standard }
            stub.handler = { _ in .failure(.networkConnectionLost) }
            let user = service.resource("/users/42")
            user.load()
            try await clock.advanceUntilSettled(service)  // runs retries and the delays of a FaultyNetwork
            #expect(user.latestError != nil)
            #expect(stub.requests.count == 4)
        }

        @Test func `A leak check finds observers`() async throws {
            let service = Service(baseURL: "https://api.test", networking: stub)
            let leaks = await LeakCheck.run(service) {
                let screen = ProfileScreen(service.resource("/users/42"))
                screen.appear()
            }
            #expect(leaks.isEmpty, "\(leaks)")
        }

        struct User: Sendable { var name: String }

        struct ProfileView {
            let user: TypedResource<User>
        }

        @Test func `A preview has its state at once`() {
            let views = [
                ProfileView(user: .preview(.loading)),
                ProfileView(user: .preview(.data(User(name: "Ada")))),
                ProfileView(user: .preview(.error("The server is being repaired"))),
            ]
            #expect(views.map(\.user.isLoading) == [true, false, false])
            #expect(views[1].user.content?.name == "Ada")
            #expect(views[2].user.error?.userMessage == "The server is being repaired")
            views[0].user.resource.loadRequests.first?.cancel()
        }
    }
}
