import Foundation
import SiestaCore
import SiestaRetrying
import SiestaTesting
import TestDoubles
import TestKit
import Testing

@testable import SiestaCaches

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Resources whose loads have a body.
@MainActor @Suite(.timeLimit(.test))
struct LoadBodyTests {
    private struct Query: Encodable {
        var text: String
        var limit = 10
    }

    private struct Unencodable: Encodable {
        func encode(to encoder: any Encoder) throws { throw CocoaError(.coderInvalidValue) }
    }

    private let stub = StubbedResource()
    private var service: Service { stub.service }

    private func search(_ text: String, by method: LoadMethod = .post) -> Resource {
        service.resource("/search", loadedBy: method, body: .json(["text": text, "limit": 10]))
    }

    init() {
        stub.network.answer(.post, "/search", with: .text("found"))
    }

    // MARK: Identity

    @Test func `Equal bodies have one resource, others have another`() {
        let resource = search("swift")
        #expect(resource === search("swift"))
        #expect(resource === service.resource("/search", loadedBy: .post, body: .encoded(Query(text: "swift"))))
        let others = [
            search("rust"), search("swift", by: .query), service.resource("/search"),
            service.resource("/find", loadedBy: .post, body: .json(["text": "swift", "limit": 10])),
            service.resource(
                "/search", loadedBy: .post, body: .data(Data(#"{"limit":10,"text":"swift"}"#.utf8), contentType: "a/b")),
        ]
        #expect(Set(others + [resource]).count == 6)
        #expect(Set((others + [resource]).map(\.identifier)).count == 6)
        #expect(
            resource
                === service.resource(
                    "/search", loadedBy: .post,
                    body: .data(Data(#"{"limit":10,"text":"swift"}"#.utf8), contentType: "application/json")))
        #expect(resource.url.absoluteString == "https://api.test/search")
        #expect(service.resource("/search").identifier == "https://api.test/search")
    }

    @Test func `The encoder keeps its options`() {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .prettyPrinted
        let resource = service.resource(
            "/search", loadedBy: .post, body: .encoded(Query(text: "swift"), encoder: encoder))
        #expect(encoder.outputFormatting == .prettyPrinted)
        #expect(resource === search("swift"))
    }

    @Test func `Descriptions show no body`() async throws {
        let resource = search("secret")
        let description = await Task.detached { resource.description }.value
        #expect(description.hasSuffix("/search)"), "\(description)")
        resource.load()
        for text in [
            resource.description, String(reflecting: resource), "\(resource.loadRequests)", resource.identifier,
        ] {
            #expect(!text.contains("secret"), "\(text)")
        }
        #expect(try resource.description.wholeMatch(of: Regex(#"Resource\(…/search POST [0-9a-f]{8}\)\[L\]"#)) != nil)
    }

    @Test func `Navigation and patterns use the URL`() {
        service.configure("/search") { $0.expirationTime = 7 }
        service.configure(service.resource("/search")) { $0.retryTime = 8 }
        let resource = search("swift")
        #expect(resource.configuration.expirationTime == 7)
        #expect(resource.configuration.retryTime == 8)
        #expect(resource.child("a") === service.resource("/search/a"))
        #expect(resource.relative("/b") === service.resource("/b"))
        #expect(resource.withParam("q", "1") === service.resource("/search").withParam("q", "1"))
        service.configure(resource) { $0.retryTime = 9 }
        #expect(service.resource("/search").configuration.retryTime == 9)
    }

    // MARK: Loads

    @Test func `Loads send the method and the body, and are shared`() async throws {
        let resource = search("swift")
        let recorder = ObserverRecorder()
        resource.addObserver(recorder)
        let load = resource.loadIfNeeded()
        #expect(search("swift").loadIfNeeded() === load)
        await load?.completion()
        let request = try stub.lastRequest
        #expect(request.httpMethod == "POST")
        #expect(request.httpBody == Data(#"{"limit":10,"text":"swift"}"#.utf8))
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/json")
        #expect(recorder.events == [.observerAdded, .requested, .newData(.network)])
        #expect(resource.text == "found")
        #expect(resource.loadIfNeeded() == nil)
        #expect(service.resource("/search").latestData == nil)
        #expect(stub.network.requests.count == 1)
    }

    @Test func `Loads have the configuration for GET`() async throws {
        service.configure(requestMethods: [.get]) {
            $0.headers["X"] = "get"
            $0.sendsIdempotencyKeys = true
        }
        service.configure(requestMethods: [.post]) { $0.headers["X"] = "post" }
        await search("swift").load().completion()
        #expect(try stub.lastRequest.value(forHTTPHeaderField: "X") == "get")
        #expect(try stub.lastRequest.value(forHTTPHeaderField: "Idempotency-Key") == nil)
    }

    @Test func `Typed content is decoded by the rules for GET`() async throws {
        service.decode("/search", as: [Int].self)
        stub.network.answer(.post, "/search", with: .json("[1, 2]"))
        let resource = service.resource("/search", as: [Int].self, loadedBy: .post, body: .encoded(Query(text: "a")))
        #expect(try await resource.get() == [1, 2])
        #expect(
            try await service.resource("/search", as: [Int].self, loadedBy: .post, body: .json(["a"])).get() == [1, 2])
    }

    @Test func `A load by POST is retried as a GET is`() async throws {
        service.configure { $0.retry = .standard }
        stub.network.answer(.post, "/search", with: .response(503), .failure(.networkConnectionLost), .text("found"))
        let load = search("swift").load()
        for _ in 0..<2 {
            try await stub.clock.waitForTimers(1)
            stub.clock.advance(by: 30)
        }
        #expect(await load.completion().text == "found")
        #expect(Set(stub.network.requests.map(\.httpBody)).count == 1)
    }

    @Test func `Only QUERY has conditions`() async throws {
        stub.network.handler = { request in
            request.value(forHTTPHeaderField: "If-None-Match") == "\"1\""
                ? .response(304) : .text("found", headers: ["ETag": "\"1\""])
        }
        for method in [LoadMethod.query, .post, LoadMethod(rawValue: "REPORT")] {
            let resource = search("swift", by: method)
            await resource.load().completion()
            #expect(await resource.load().completion().isNew == (method != .query))
            #expect(resource.text == "found")
            #expect(resource.isUpToDate)
        }
    }

    @Test func `A 304 that does not confirm the data makes a QUERY ask again`() async throws {
        let resource = search("swift", by: .query)
        stub.network.handler = { _ in .text("found", headers: ["ETag": "\"1\""]) }
        await resource.load().completion()
        stub.network.handler = { $0.value(forHTTPHeaderField: "If-None-Match") != nil ? .held : .text("again") }
        let load = resource.load()
        resource.overrideLocalContent(with: "local")
        try stub.exchange(1).respond(with: .response(304))
        #expect(await load.completion().text == "again")
        #expect(Set(stub.network.requests.map(\.httpBody)).count == 1)
    }

    @Test func `Another request keeps its own mutation`() async throws {
        stub.network.handler = { _ in .text("other") }
        await search("swift").request(.post) { $0.setValue("own", forHTTPHeaderField: "X") }.completion()
        #expect(try stub.lastRequest.value(forHTTPHeaderField: "X") == "own")
    }

    @Test func `Loads have the pipeline for GET`() async throws {
        struct Found: Decodable, Sendable { let count: Int }
        service.decode("/search", as: Found.self)
        stub.network.answer(.post, "/search", with: .json(#"{"count": 3}"#))
        let resource = service.resource("/search", as: Found.self, loadedBy: .post, body: .json(["a"]))
        #expect(try await resource.get().count == 3)
    }

    @Test func `Other requests do not send the body`() async throws {
        stub.network.handler = { _ in .text("other") }
        await search("swift").request(.get).completion()
        #expect(try stub.lastRequest.httpMethod == "GET")
        #expect(try stub.lastRequest.httpBody == nil)
        await search("swift").request(.post).completion()
        #expect(try stub.lastRequest.httpMethod == "POST")
        #expect(try stub.lastRequest.httpBody == nil)
    }

    @Test func `A load is no write, another request is`() async {
        service.configure { $0.invalidates = ["things"] }
        service.configure("/thing") { $0.tags = ["things"] }
        await stub.load(.text("x"))
        await search("swift").load().completion()
        await search("swift").load().repeated().start().completion()
        #expect(stub.resource.isUpToDate)
        await search("swift").request(.post).completion()
        #expect(stub.resource.isStale)
    }

    @Test func `A body that cannot be encoded or sent fails all requests`() async {
        let failing = [
            service.resource("/search", loadedBy: .post, body: .json(["x": Date()])),
            service.resource("/search", loadedBy: .post, body: .encoded(Unencodable())),
            service.resource("/search", loadedBy: .post, body: .data(Data(), contentType: "a\nb")),
            Service(networking: stub.network).resource("/search", loadedBy: .post, body: .json(["a"])),
        ]
        var causes: [String] = []
        for resource in failing {
            let info = await resource.load().completion()
            causes.append(info.failure?.code.description ?? "none")
        }
        #expect(causes == ["unencodableBody", "other", "invalidHeader", "invalidURL"])
        await service.resource("/search", loadedBy: LoadMethod(rawValue: "A B"), body: .json(["a"])).load().completion()
        #expect(stub.network.requests.isEmpty)
    }

    // MARK: Caches

    /// A cache whose keys do not tell bodies apart.
    private final class URLCache: EntityCache {
        let cache = InMemoryCache()
        func key(for resource: Resource) -> String? { resource.url.absoluteString }
        func readEntity(forKey key: String) -> Entity<Any>? { cache.readEntity(forKey: key) }
        func writeEntity(_ entity: Entity<Any>, forKey key: String) { cache.writeEntity(entity, forKey: key) }
        func removeEntity(forKey key: String) { cache.removeEntity(forKey: key) }
    }

    @Test func `A persistent cache stores each body's content under its own key`() async throws {
        let cache = PersistentCache(MemoryRecordStore())
        service.configure { $0.pipeline[.rawData].cacheUsing(cache) }
        for text in ["a", "b"] {
            stub.network.answer(.post, "/search", with: .text(text))
            await search(text).load().completion()
        }
        stub.network.handler = { _ in .text("by GET") }
        await search("a").request(.get).completion()
        try await cache.storage.flush()
        for text in ["a", "b"] {
            search(text).wipe()
            _ = search(text).latestData
            await search(text).cacheIsRead()
            #expect(search(text).text == text)
        }
        _ = service.resource("/search").latestData
        await service.resource("/search").cacheIsRead()
        #expect(service.resource("/search").latestData == nil)
    }

    @Test func `A persistent cache compares the headers of the load`() async throws {
        let cache = PersistentCache(MemoryRecordStore())
        service.configure { $0.pipeline[.rawData].cacheUsing(cache) }
        stub.network.answer(.post, "/search", with: .text("found", headers: ["Vary": "Content-Type"]))
        await search("a").load().completion()
        try await cache.storage.flush()
        search("a").wipe()
        #expect((try? await search("a").get(.cached)) != nil)
    }

    @Test func `A cache of the app must tell bodies apart`() async {
        let (byURL, byIdentifier) = (URLCache(), InMemoryCache())
        service.configure { $0.pipeline[.rawData].cacheUsing(byURL) }
        service.configure { $0.pipeline[.model].cacheUsing(byIdentifier) }
        await search("a").load().completion()
        await search("b").load().completion()
        stub.network.answer(.get, "/thing", with: .text("x"))
        await stub.resource.load().completion()
        for resource in [search("a"), search("b"), stub.resource] {
            resource.wipe()
            _ = resource.latestData
            await resource.cacheIsRead()
            #expect(resource.latestData != nil)
        }
        #expect(Array(byURL.cache.entities.keys) == ["https://api.test/thing"])
        #expect(byIdentifier.entities.count == 3)
    }
}
