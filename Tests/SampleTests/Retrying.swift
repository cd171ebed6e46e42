import Foundation
import LoopbackServer
import SampleServer
import Siesta
import SiestaTesting
import Testing
import Waiting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Samples {
    /// The articles "Retries", "Pacing" and "Requests that wait", and the doc comments of their types.
    @MainActor
    struct Retrying {
        let server = stage.newServer()
        /// A clock of its own, so that the sample has its own counts of the origin.
        let clock = TestClock(wallTime: Date.timeIntervalSinceReferenceDate)
        let service: Service

        init() {
            clock.jitter = 1
            service = clock.whileCurrent { Service(baseURL: "https://api.example.com") }
            server.answer("GET /users/42", .status(503), .json(#"{"id": 42, "name": "Ada"}"#))
        }

        /// Waits for each delay of a load, and lets it pass. Returns the delays.
        private func delays(of load: any Request, _ count: Int) async throws -> [TimeInterval] {
            var delays: [TimeInterval] = []
            for _ in 0..<count {
                try await clock.waitForTimers(1)
                delays += clock.timers
                clock.advance(by: clock.timers.first ?? 0)
            }
            await load.completion()
            return delays
        }

        @Test func `One line turns retries on`() async throws {
            service.configure { $0.retry = .standard }
            server.answer("GET /users/42", .status(503), .status(502), .status(429), .json("{}"))
            let load = service.resource("/users/42").load()
            #expect(try await delays(of: load, 3) == [0.5, 1, 2])
            #expect(try await load.value.content is [String: Any])
            #expect(server.received.count == 4)
        }

        @Test func `A rule changes the policy`() async throws {
            service.configure { $0.retry = .standard }
            service.configure("/reports/*") {
                $0.retry.retryLimit = 5
                $0.retry.timeLimit = 30
            }
            service.configure("/payments/**") { $0.retry = .none }
            server.answer("GET /reports/1", .status(500))
            let load = service.resource("/reports/1").load()
            #expect(try await delays(of: load, 5) == [0.5, 1, 2, 4, 8])
            #expect(server.received.count == 6)
            await service.resource("/payments/1").load().completion()
            #expect(server.received.count == 7)
        }

        @Test func `The policy of some resources`() async throws {
            service.configure { $0.retry = .standard }
            service.configure("/reports/*") { $0.retry.retryLimit = 5 }
            server.answer("GET /reports/1", .status(500), .json("{}"))
            #expect(try await delays(of: service.resource("/reports/1").load(), 1) == [0.5])
            #expect(service.resource("/reports/1").configuration.retry.retryLimit == 5)
        }

        @Test func `A closure decides`() async throws {
            service.configure { $0.retry = .standard }
            service.configure("/reports/*") {
                $0.retry.decide = { attempt in
                    guard attempt.error.httpStatusCode == 404 else { return nil }  // The properties decide.
                    return attempt.number < 5 ? .retry(after: 2) : .giveUp
                }
            }
            let load = service.resource("/reports/new").load()
            #expect(try await delays(of: load, 4) == [2, 2, 2, 2])
            #expect(server.received.count == 5)
        }

        @MainActor
        final class StatusLine: ResourceObserver {
            func resourceChanged(_ resource: Resource, event: ResourceEvent) {
                print(event)
            }

            func resourceRetryChanged(_ resource: Resource, retry: Resource.Retry?) {
                print(retry.map(text) ?? "")
            }

            private func text(_ retry: Resource.Retry) -> String {
                guard let date = retry.date else { return "waiting" }
                let seconds = max(0, date.timeIntervalSinceNow).rounded(.up)
                return "retrying in \(Int(seconds)) s (\(retry.number) of \(retry.limit))"
            }
        }

        @Test func `An observer shows the wait`() async throws {
            service.configure { $0.retry = .standard }
            server.answer("GET /users/42", .status(503), .status(503), .json("{}"))
            let screen = StatusLine()
            let load = service.resource("/users/42").addObserver(screen).load()
            _ = try await delays(of: load, 2)
            #expect(
                stage.printed.filter { !$0.isEmpty }.map { $0.replacing("2 s", with: "1 s") } == [
                    "observerAdded", "requested", "retrying in 1 s (1 of 3)", "retrying in 1 s (2 of 3)",
                    "newData(network)",
                ])
        }

        @Test func `A resource tells of the wait`() async throws {
            service.configure { $0.retry = .standard }
            let user = service.resource("/users/42")
            let load = user.load()
            try await clock.waitForTimers(1)
            if let retry = user.retry, let date = retry.date {
                print("retrying in \(Int(date.timeIntervalSinceNow)) s (\(retry.number) of \(retry.limit))")
            }
            #expect(stage.printed == ["retrying in 0 s (1 of 3)"])
            clock.advance(by: 0.5)
            await load.completion()
            #expect(user.retry == nil)
        }

        @Test func `Requests are paced`() async throws {
            service.configure {
                $0.pacing = Pacing(concurrentRequests: 4, requestsPerSecond: 10)
                $0.pacing.burst = 2
                $0.pacing.failureLimit = 5
                $0.pacing.failurePause = 30
            }
            service.configure("/search/**") { $0.priority = .high }
            service.configure("/thumbnails/**") { $0.priority = .low }
            let loads = ["/a", "/b", "/thumbnails/1", "/search/x"].map { service.resource($0).load() }
            #expect(service.resource("/thumbnails/1").retry?.reason == .rate)
            for load in loads.prefix(2) { await load.completion() }
            for load in loads.suffix(2).reversed() {
                clock.advance(by: 0.11)
                await load.completion()
            }
            #expect(server.received.suffix(2) == ["GET /search/x", "GET /thumbnails/1"])
        }

        @Test func `Two forms of pacing`() async throws {
            service.configure { $0.pacing = .standard }
            service.configure { $0.pacing = Pacing(concurrentRequests: 4, requestsPerSecond: 10) }
            server.answer("GET /users/42", .json("{}"))
            _ = try await service.resource("/users/42").load().value
            #expect(service.resource("/users/42").configuration.pacing.requestsPerSecond == 10)
        }

        @Test func `A payment has a key`() async throws {
            service.configure { $0.retry = .standard }
            service.configure("/payments") { $0.sendsIdempotencyKeys = true }
            server.answer("POST /payments", .status(503), .json("{}"))
            let payment = service.resource("/payments").request(.post, json: ["amount": 10])
            #expect(try await delays(of: payment, 1) == [0.5])
            let keys = server.requests.map { $0.header("Idempotency-Key") }
            #expect(keys.count == 2)
            #expect(keys.first != nil)
            #expect(keys.first == keys.last)
        }

        @Test func `Requests wait for the network`() async throws {
            let status = NetworkStatus(isConnected: false)
            service.networkStatus = status
            service.configure { $0.offline = .wait(upTo: 60) }
            server.answer("GET /users/42", .failure, .json("{}"))
            let user = service.resource("/users/42")
            let load = user.load()
            try await clock.waitForTimers(1)
            #expect(user.retry?.reason == .offline)
            #expect(user.retry?.date == nil)
            status.isConnected = true
            clock.advance(by: 0.5)
            _ = try await load.value
            #expect(server.received.count == 2)
        }

        @Test func `An error tells when to try again`() async throws {
            service.configure { $0.pacing = .standard }
            server.answer("GET /users/42", .json("{}", status: 503, headers: ["Retry-After: 600"]))
            let user = service.resource("/users/42")
            func show() async {
                do {
                    _ = try await user.load().value
                } catch {
                    if let seconds = error.retryAfter { print("try again in \(Int(seconds)) s") }
                    if error.code == .serverUnavailable { print("nothing was sent") }
                }
            }
            await show()
            await show()
            #expect(stage.printed == ["try again in 600 s", "try again in 600 s", "nothing was sent"])
            try await Poll.until { !user.isLoading }
            #expect(server.received.count == 1)
            #expect(user.loadIfNeeded() == nil)
        }

        @MainActor @Test func `A load is tried again after half a second`() async throws {
            let (network, clock) = (StubNetwork(), TestClock())
            clock.jitter = 1  // Each delay has its maximum.
            network.answer(.get, "/v1/users/42", with: .response(503), .json(#"{"id": 42, "name": "Ada"}"#))
            let api = clock.whileCurrent { MyAPI(networking: network) }  // The service keeps this clock.
            api.configure { $0.retry = .standard }
            let ada = api.user(42)
            let load = ada.resource.load()
            try await clock.waitForTimers(1)  // The first attempt has failed.
            #expect(ada.retry?.number == 1)
            clock.advance(by: 0.5)
            await load.completion()
            #expect(ada.content?.name == "Ada")
            #expect(network.requests.count == 2)
        }
    }
}
