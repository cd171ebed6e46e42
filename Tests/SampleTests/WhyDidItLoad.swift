import Foundation
import LoopbackServer
import SampleServer
import Siesta
import SiestaTesting
import Testing
import Waiting

extension Samples {
    /// The article "Why did it (not) load?", and the doc comments of events and explanations.
    @MainActor
    struct WhyDidItLoad {
        let server = stage.newServer()
        let service = Service(baseURL: "https://api.example.com")

        init() {
            server.answer("GET /users/42", .json(#"{"id": 42, "name": "Ada"}"#))
            service.configure("/users/*") { $0.expirationTime = 300 }
        }

        @Test func `A resource explains its state`() async throws {
            let screen = ObserverRecorder()
            let user = service.resource("/users/42").addObserver(screen)
            _ = try await user.loadIfNeeded()?.value
            print(service.resource("/users/42").explain())
            let text = try #require(stage.printed.last)
            #expect(text.hasPrefix("https://api.example.com/users/42\nfresh for "))
            #expect(text.contains("expirationTime 300 s from rule “/users/*”; loaded "))
            #expect(text.contains("because observer ObserverRecorder"))
            #expect(text.contains("\nno caches\n"))
        }

        @Test func `Programs read the properties of an explanation`() async throws {
            server.answer("GET /users/42", .status(500))
            await service.resource("/users/42").load().completion()
            let explanation = service.resource("/users/42").explain()
            if case .hold(let seconds) = explanation.next {
                print("not loaded for another \(seconds ?? 0) s, because the last load failed")
            }
            print(explanation.rule(for: "expirationTime")?.name ?? "the default")
            try #require(stage.printed.count == 2)
            #expect(stage.printed[0].hasPrefix("not loaded for another "))
            #expect(stage.printed[1] == "/users/*")
        }

        @Test func `A service tells what it does`() async throws {
            let service = service
            let task = Task {
                for await event in service.activity { print(event) }
            }
            while stage.printed.isEmpty {
                service.resource("/users/42").invalidate()
                await mainQueueTurn()
            }
            service.resource("/users/42").load()
            try await Poll.until { stage.printed.contains { $0.contains("newData(network)") } }
            task.cancel()
            #expect(stage.printed.contains { $0.contains("loadDecision: load, began, https://api.example.com/") })
        }

        @Test func `A trace context is sent on request`() async throws {
            server.answer("GET /orders/1", .json("{}"))
            service.configure("/orders/**") { $0.sendsTraceContext = true }
            await service.resource("/orders/1").load().completion()
            #expect(service.resource("/orders/1").configuration.sendsTraceContext)
        }
    }
}
