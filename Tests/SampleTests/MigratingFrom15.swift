import Foundation
import LoopbackServer
import SampleServer
import Siesta
import SiestaStorage
import SiestaTesting
import Testing
import Waiting

extension Samples {
    /// The article "Migrating from 1.5", and `Documentation/MigratingFrom15.md`.
    @MainActor
    struct MigratingFrom15 {
        let server = stage.newServer()
        let service = Service(baseURL: "https://api.example.com")

        init() {
            server.answer("GET /users/42", .text("Ada"), .text("Grace"))
        }

        @Test func `A wipe can include the caches`() async throws {
            let cache = InMemoryCache()
            service.configure { $0.pipeline[.rawData].cacheUsing(cache) }
            let user = service.resource("/users/42")
            _ = try await user.load().value
            // 1.5: data comes back from the caches.
            service.wipeResources()
            #expect(user.latestData == nil)  // sample.hidden
            _ = try await user.get()  // sample.hidden
            #expect(user.text == "Ada")  // sample.hidden

            // Now
            service.wipeResources(includingCaches: true)
            _ = try await user.get()  // sample.hidden
            #expect(user.text == "Grace")  // sample.hidden

            // Now, with a session: also ends the requests, and removes the credential and the cookies.
            await service.signOut()
            _ = try await user.get()
            #expect(user.text == "Grace")
            #expect(server.received.count == 2)
        }

        @Test func `A log-in by hand, and a session`() async throws {
            let (token, temporary) = (String?.some("t1"), SampleFolder())
            let file = temporary.url.appendingPathComponent("session")
            let renew: @Sendable @concurrent (Credential, AuthenticationNetwork) async throws -> Credential = { _, _ in
                Credential("t3")
            }
            server.answer("GET /users/42", .status(401), .text("Ada"), .status(401), .text("Ada"))
            server.answer("POST /renew", .status(204))
            if let token {
                let service = service
                func renewToken() -> any Request { service.resource("/renew").request(.post) }
                // 1.5: a configured header, a decorator for status 401, and a wipe.
                service.configure("**") {
                    $0.headers["Authorization"] = "Bearer \(token)"
                }
                service.configure("/users/*") {
                    $0.decorateRequests { _, request in
                        request.chained { info in
                            guard case .failure(let error) = info.response, error.httpStatusCode == 401 else {
                                return .useThisResponse
                            }
                            return .passTo(renewToken().chained { _ in .passTo(request.repeated()) })
                        }
                    }
                }
                _ = try await service.resource("/users/42").request(.get).value  // sample.hidden
            }
            if let token {
                let service = Service(baseURL: "https://api.example.com")  // sample.hidden
                // Now
                service.authenticate(with: .bearer(credentials: .file(at: file), refresh: renew))
                try await service.signIn("ada", with: Credential(token))
                _ = try await service.resource("/users/42").load().value
            }
            #expect(server.received.count == 5)
            #expect(server.requests.last?.header("Authorization") == "Bearer t3")
        }

        @Test func `A cache of the app, and a cache of the library`() async throws {
            let temporary = SampleFolder()
            let folder = temporary.url
            let myEntityCache = InMemoryCache()
            // 1.5: a cache that the app has written. This still works, and needs only the module Siesta.
            service.configure { $0.pipeline[.rawData].cacheUsing(myEntityCache) }
            _ = try await service.resource("/users/42").load().value  // sample.hidden
            try await Poll.until { !myEntityCache.entities.isEmpty }  // sample.hidden

            // Now
            service.configure { $0.pipeline[.rawData].cacheUsing(.file(at: folder)) }
            _ = try await service.resource("/users/42").load().value
            for cache in service.caches { try await cache.flush() }
            #expect(await service.caches.first?.statistics().usage?.entries == 1)
        }

        @Test func `A late response does not replace newer data`() async throws {
            let isShown = Gate()
            server.answer(
                "GET /users/42",
                .script {
                    try $0.wait(for: isShown)
                    try $0.respond(headers: ["Content-Type: text/plain"], text: "old")
                },
                .text("new"))
            let resource = service.resource("/users/42")
            let events = ObserverRecorder()
            resource.addObserver(events)
            let first = resource.load()  // slow
            try await Poll.until { server.received.count == 1 }  // sample.hidden
            let second = resource.load()  // fast: its response is shown
            // 1.5: the response to `first` then replaced it.
            // Now: latestData stays. The hooks of `first` receive its response, and observers receive .notModified.
            _ = try await second.value
            isShown.open()
            #expect(try await first.value.content() == "old")
            #expect(resource.text == "new")
            #expect(events.events.suffix(2) == [.newData(.network), .notModified])
        }
    }
}
