import Foundation
import LoopbackServer
import SampleServer
import Siesta
import SiestaStorage
import SiestaTesting
import Testing
import Waiting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Samples {
    /// The article "HTTP caching", and the doc comments of its types.
    @MainActor
    struct HTTPCaching {
        let server = stage.newServer()
        let clock = TestClock()
        let service: Service
        var price: Resource { service.resource("/price") }
        var resource: Resource { price }

        init() {
            service = clock.whileCurrent { Service(baseURL: "https://api.example.com") }
            server.answer(
                "GET /price", .json("[1]", headers: ["Cache-Control: max-age=60"]),
                .json("[2]", headers: ["Cache-Control: max-age=60"]))
        }

        @Test func `One line lets the server decide`() async throws {
            service.configure { $0.freshness = .http }
            _ = try await price.get()
            clock.advance(by: 59)
            #expect(price.isUpToDate)
            clock.advance(by: 1)
            #expect(!price.isUpToDate)
        }

        @Test func `A rule has a fallback`() async throws {
            service.configure("/feeds/**") { $0.freshness = .http(fallback: 300) }
            server.answer("GET /feeds/1", .json("[]"))
            let feed = service.resource("/feeds/1")
            _ = try await feed.get()
            #expect(feed.freshness.reason == .configuration)
            clock.advance(by: 299)
            #expect(feed.isUpToDate)
        }

        @Test func `The caller has wishes`() async throws {
            service.configure { $0.freshness = .http }
            _ = try await price.get()
            clock.advance(by: 100)
            let recent = try await price.get(.directives(maxStale: 60))
            let lasting = try await price.get(.directives(minFresh: 10))
            let stored = try await price.get(.directives(onlyIfCached: true))
            #expect(recent.header(forKey: "Age") == "100")
            #expect([lasting, stored].map(\.jsonArray).count == 2)
            #expect(server.received.count == 2)
        }

        @Test func `A caller accepts a price of the last minute`() async throws {
            service.configure { $0.freshness = .http }
            let price = try await resource.get(.directives(maxStale: 60))
            #expect(price.statusCode == 200)
        }

        @Test func `A screen shows the freshness`() async throws {
            let service = Service(baseURL: "https://api.example.com")
            service.configure { $0.freshness = .http }
            let price = service.resource("/price")
            _ = try await price.get()
            let freshness = price.freshness
            if freshness.phase == .fresh, let end = freshness.until {
                let seconds = Int(end.timeIntervalSinceNow.rounded(.up))
                show("fresh for \(seconds) s: \(freshness.reason)")
            }
            let text = try #require(stage.printed.first)
            #expect(text.hasPrefix("fresh for "))
            #expect(text.contains("Cache-Control: max-age=60"))
        }

        @Test func `A part of fresh data needs no request`() async throws {
            let file = service.resource("/file")
            service.configure {
                $0.freshness = .http(fallback: 60)
                $0.pipeline.clear()
            }
            server.answer("GET /file", .bytes(Data(repeating: 7, count: 3_000)))
            _ = try await file.get()
            let start = try await file.request(.get) { $0.setValue("bytes=0-1023", forHTTPHeaderField: "Range") }.value
            #expect(start.entityForTypedContentAccessors?.statusCode == 206)
            #expect(start.typedContent(ifNone: Data()).count == 1_024)
            #expect(server.received.count == 1)
        }

        @Test func `A cache continues lifetimes after a restart`() async throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("caching-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            service.configure {
                $0.freshness = .http
                $0.pipeline[.rawData].cacheUsing(PersistentCache.file(at: folder))
            }
            _ = try await price.get()
            clock.advance(by: 10)
            let later = clock.whileCurrent { Service(baseURL: "https://api.example.com") }
            later.configure {
                $0.freshness = .http
                $0.pipeline[.rawData].cacheUsing(PersistentCache.file(at: folder))
            }
            let entity = try await later.resource("/price").get()
            #expect(entity.header(forKey: "Age") == "10")
            #expect(server.received.count == 1)
            for cache in later.caches { try await cache.flush() }
        }
    }
}
