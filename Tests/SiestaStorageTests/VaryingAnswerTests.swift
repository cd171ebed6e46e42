import CacheTorture
import Foundation
import LoopbackServer
import SiestaSessions
import SiestaTesting
import TestKit
import Testing

@testable import SiestaCaches
@testable import SiestaCore
@testable import SiestaNetworking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The requests that find a stored response with a `Vary` header (RFC 9111 §4.1), in caches that are not partitioned.
@MainActor @Suite(.timeLimit(.test))
struct VaryingAnswerTests {
    /// The value that the app currently sends; nil for none.
    @MainActor
    private final class Session: Sendable {
        var value: String? = "Bearer alice"
    }

    /// The way in which the header is added to requests.
    enum Setting: CaseIterable, Sendable {
        case configuration, mutation, lowercase

        @MainActor func apply(_ header: String, _ value: String?, to configuration: inout Configuration) {
            switch self {
            case .configuration: configuration.headers[header] = value
            case .lowercase: configuration.headers[header.lowercased()] = value
            case .mutation: configuration.mutateRequests { $0.setValue(value, forHTTPHeaderField: header) }
            }
        }
    }

    private let folder: TestFolder
    private let clock = TestClock()
    private let network = StubNetwork()
    private let session = Session()

    init() throws {
        folder = try TestFolder()
    }

    /// Returns a service as after a start of the app, with a cache in a folder.
    private func service(
        _ header: String = "Authorization", _ setting: Setting = .configuration, _ network: StubNetwork? = nil,
        cache: PersistentCache? = nil, _ configure: @escaping (inout Configuration) -> Void = { _ in }
    ) -> Service {
        let network = network ?? self.network
        let service = clock.whileCurrent { Service(baseURL: "http://cache.test", networking: network) }
        let (cache, session) = (cache ?? PersistentCache.file(at: folder.url), session)
        service.configure {
            $0.pipeline[.rawData].cacheUsing(cache)
            setting.apply(header, session.value, to: &$0)
            configure(&$0)
        }
        return service
    }

    @Test func `Data to which a redirect has led is not found by a user whom the server may redirect elsewhere`()
        async throws
    {
        let server = try LoopbackServer { exchange in
            guard exchange.request.target == "/x" else {
                return try exchange.respond(headers: ["Content-Type: text/plain"], text: "Alice's")
            }
            try exchange.respond(302, headers: ["Location: /users/1", "Vary: Authorization"])
        }
        func service() -> Service {
            let (cache, session) = (PersistentCache.file(at: folder.url), session)
            let service = Service(baseURL: server.url("/"))
            service.configure {
                $0.pipeline[.rawData].cacheUsing(cache)
                $0.headers["Authorization"] = session.value
            }
            return service
        }
        await service().resource("/x").load().completion()
        session.value = "Bearer bob"
        #expect(try await stored(service()).isEmpty)
        session.value = "Bearer alice"
        #expect(try await stored(service()) == "Alice's")
    }

    private func stored(_ service: Service) async throws -> String {
        try await PersistentCache.file(at: folder.url).storage.flush()
        let resource = service.resource("/x")
        await service.warm([resource])
        return resource.text
    }

    private func offline() -> StubNetwork { StubNetwork() }

    // MARK: Requests that find a response

    @Test(
        arguments: [
            ("Authorization", "Authorization"), ("Authorization", "authorization"), ("Cookie", "Cookie"),
            ("X-API-Key", "Accept-Encoding, x-api-KEY"), ("X-Auth-Token", " X-Auth-Token ,Accept"),
            ("Proxy-Authorization", "Proxy-Authorization"), ("X-Tenant", "X-Tenant"),
        ], Setting.allCases)
    func `A response that varies by a header is not found by a request with another value of it`(
        names: (header: String, vary: String), setting: Setting
    ) async throws {
        network.answer(.get, "/x", with: .text("Alice's", headers: ["Vary": names.vary, "ETag": "1"]))
        await service(names.header, setting).resource("/x").load().completion()
        for other in ["Bearer bob", "", nil] {
            session.value = other
            #expect(try await stored(service(names.header, setting, offline())).isEmpty)
        }
        session.value = "Bearer alice"
        #expect(try await stored(service(names.header, setting, offline())) == "Alice's")
    }

    @Test func `A response to a request without the header is not found by one that has it`() async throws {
        session.value = nil
        network.answer(.get, "/x", with: .text("anybody's", headers: ["Vary": "Authorization"]))
        await service().resource("/x").load().completion()
        session.value = "Bearer alice"
        #expect(try await stored(service("Authorization", .configuration, offline())).isEmpty)
        session.value = nil
        #expect(try await stored(service("Authorization", .configuration, offline())) == "anybody's")
    }

    @Test func `Nobody is taken to have the header that one request alone was given`() async throws {
        session.value = nil
        network.answer(.get, "/x", with: .text("Alice's", headers: ["Vary": "Authorization"]))
        let mutation: Resource.RequestMutation = { $0.setValue("Bearer alice", forHTTPHeaderField: "Authorization") }
        await service().resource("/x").request(.get, requestMutation: mutation).completion()
        #expect(try await stored(service("Authorization", .configuration, offline())).isEmpty)
    }

    @Test func `A decorator that sends another request has the response stored for that`() async throws {
        session.value = nil
        network.answer(
            .get, "/x", with: .text("anybody's", headers: ["Vary": "Authorization"]),
            .text("Alice's", headers: ["Vary": "Authorization"]))
        let service = service()
        service.configure {
            $0.decorateRequests { resource, request in
                guard resource.allRequests.isEmpty else { return request }
                return request.chained { _ in
                    .passTo(resource.request(.get) { $0.setValue("Bearer alice", forHTTPHeaderField: "Authorization") })
                }
            }
        }
        await service.resource("/x").load().completion()
        #expect(service.resource("/x").text == "Alice's")
        #expect(try await stored(self.service("Authorization", .configuration, offline())) == "anybody's")
        session.value = "Bearer alice"
        #expect(try await stored(self.service("Authorization", .configuration, offline())) == "Alice's")
    }

    @Test func `What logs redact has no influence on what caches compare`() async throws {
        network.answer(.get, "/x", with: .text("Alice's", headers: ["Vary": "X-Tenant-Of-This-Test"]))
        await service("X-Tenant-Of-This-Test").resource("/x").load().completion()
        SiestaLog.redactedHeaders.formUnion(["x-tenant-of-this-test", "vary"])
        defer { SiestaLog.redactedHeaders.subtract(["x-tenant-of-this-test", "vary"]) }
        #expect(try await stored(service("X-Tenant-Of-This-Test", .configuration, offline())) == "Alice's")
        session.value = "Bearer bob"
        #expect(try await stored(service("X-Tenant-Of-This-Test", .configuration, offline())).isEmpty)
        network.answer(.get, "/x", with: .text("Bob's", headers: ["Vary": "X-Tenant-Of-This-Test"]))
        await service("X-Tenant-Of-This-Test").resource("/x").load().completion()
        #expect(try await stored(service("X-Tenant-Of-This-Test", .configuration, offline())) == "Bob's")
        session.value = "Bearer alice"
        #expect(try await stored(service("X-Tenant-Of-This-Test", .configuration, offline())) == "Alice's")
    }

    @Test func `In the partition of a principal credentials do not count, and other headers do`() async throws {
        let cache = PersistentCache.file(at: folder.url).partitioned { "alice" }
        network.answer(.get, "/x", with: .text("Alice's", headers: ["Vary": "Authorization, Cookie, X-API-Key"]))
        await service(cache: cache).resource("/x").load().completion()
        session.value = "a fresh token"
        #expect(try await stored(service("Authorization", .configuration, offline(), cache: cache)) == "Alice's")
        #expect(try await stored(service("X-API-Key", .configuration, offline(), cache: cache)).isEmpty)
        let nobodys = PersistentCache.file(at: folder.url).partitioned { "" }
        network.answer(.get, "/x", with: .text("Alice's", headers: ["Vary": "Authorization"]))
        await service(cache: nobodys).resource("/x").load().completion()
        session.value = "Bearer bob"
        #expect(try await stored(service("Authorization", .configuration, offline(), cache: nobodys)).isEmpty)
    }

    @Test func `A response for all users that varies by the credential is found by its user, also with a new token`()
        async throws
    {
        session.value = nil
        network.answer(.get, "/x", with: .text("Ada's", headers: ["Vary": "Authorization"]))
        func start(_ user: String, _ token: String, _ network: StubNetwork) async throws -> Service {
            let service = service("Authorization", .configuration, network) { $0.isPersonal = false }
            service.authenticate(with: BearerToken())
            try await service.signIn(user, with: Credential(token))
            return service
        }
        await (try start("ada", "old", network)).resource("/x").load().completion()
        #expect(try await stored(start("bob", "old", offline())).isEmpty)
        #expect(try await stored(start("ada", "new", offline())) == "Ada's")
    }

    @Test func `A response that no other request gets is not found, though the cache has it`() async throws {
        let careless = PersistentCache.file(at: folder.url, options: EntityCacheOptions(respectsNoStore: false))
        network.answer(.get, "/x", with: .text("once", headers: ["Vary": "*"]))
        await service(cache: careless).resource("/x").load().completion()
        try await careless.storage.flush()
        let heeding = PersistentCache(FileRecordStore(folder: folder.url))
        let service = clock.whileCurrent { Service(baseURL: "http://cache.test", networking: StubNetwork()) }
        service.configure { $0.pipeline[.rawData].cacheUsing(heeding) }
        await service.warm([service.resource("/x")])
        #expect(service.resource("/x").latestData == nil)
    }

    // MARK: Changes during a request

    @Test func `A confirmation does not count for what was stored for another value of the header`() async throws {
        network.answer(
            .get, "/x", with: .text("Alice's", headers: ["Vary": "Authorization", "ETag": "1"]), .notModified)
        let service = service()
        await service.resource("/x").load().completion()
        try await PersistentCache.file(at: folder.url).storage.flush()
        let time = clock.wallTime
        clock.advance(by: 100)
        session.value = "Bearer bob"
        service.invalidateConfiguration()
        await service.resource("/x").load().completion()
        #expect(network.lastExchange?.request.value(forHTTPHeaderField: "Authorization") == "Bearer bob")
        session.value = "Bearer alice"
        let again = self.service("Authorization", .configuration, offline())
        #expect(try await stored(again) == "Alice's")
        #expect(again.resource("/x").latestData?.timestamp == time)
    }

    @Test func `A hit that was looked for before the header changed is not shown`() async throws {
        let store = RecordingStore()
        let cache = PersistentCache(store)
        network.answer(.get, "/x", with: .text("Alice's", headers: ["Vary": "Authorization"]))
        let session = session
        func service(_ network: StubNetwork) -> Service {
            let service = clock.whileCurrent { Service(baseURL: "http://cache.test", networking: network) }
            service.configure {
                $0.pipeline[.rawData].cacheUsing(cache)
                $0.headers["Authorization"] = session.value
            }
            return service
        }
        await service(network).resource("/x").load().completion()
        try await cache.storage.flush()
        let again = service(offline())
        let resource = again.resource("/x")
        #expect(resource.latestData == nil)  // The read is still in progress.
        session.value = "Bearer bob"
        again.invalidateConfiguration()
        await resource.cacheIsRead()
        #expect(resource.latestData == nil)
        session.value = "Bearer alice"
        again.invalidateConfiguration()
        resource.wipe()
        await resource.cacheIsRead()
        #expect(resource.text == "Alice's")
    }

    @Test func `A transformer that drops the headers does not hide from the cache what the server said`() async throws {
        network.answer(
            .get, "/x", with: .text("Alice's", headers: ["Vary": "Authorization"]),
            .text("not to be stored", headers: ["Cache-Control": "no-store"]))
        let folder = folder.url
        let configure: (inout Configuration) -> Void = {
            $0.pipeline[.rawData].forgetHeaders()
            $0.pipeline[.rawData].cacheUsing(PersistentCache.file(at: folder))
        }
        let service = service("Authorization", .configuration, network, configure)
        await service.resource("/x").load().completion()
        session.value = "Bearer bob"
        #expect(try await stored(self.service("Authorization", .configuration, offline(), configure)).isEmpty)
        session.value = "Bearer alice"
        #expect(try await stored(self.service("Authorization", .configuration, offline(), configure)) == "Alice's")
        await service.resource("/x").load().completion()
        #expect(try await stored(self.service("Authorization", .configuration, offline(), configure)).isEmpty)
    }

    @Test func `Headers that the network adds count as well`() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["Authorization": "Bearer alice", "X": "1"]
        let service = Service(baseURL: "http://cache.test", networking: configuration)
        service.configure { $0.headers["x"] = "2" }
        #expect(service.resource("/x").headersOfLoad == ["Authorization": "Bearer alice", "x": "2"])
    }

    @Test func `Cookies that the network adds are like those of no other request`() {
        let fields = AddedFields(keepsCookies: true)
        let (first, second) = (fields.completing(["A": "1"]), fields.completing(["A": "1"]))
        #expect(first["A"] == "1")
        #expect(first["Cookie"] != second["Cookie"])
        #expect(AddedFields(keepsCookies: false).completing(["A": "1"]) == ["A": "1"])
        #expect(
            SelectingHeaders.variant(namedBy: "Cookie", in: first, of: "", at: "x")
                != SelectingHeaders.variant(namedBy: "Cookie", in: second, of: "", at: "x"))
    }

    // MARK: The disk

    @Test(arguments: ["Authorization", "Cookie", "X-Secret"])
    func `Neither the value of the header nor a digest that is the same elsewhere is on the disk`(
        header: String
    ) async throws {
        network.handler = { _ in .text("x", headers: ["Vary": header]) }
        session.value = "Bearer s3cret-of-alice"
        let service = service(header)
        for path in ["/x", "/y"] { await service.resource(path).load().completion() }
        try await PersistentCache.file(at: folder.url).storage.flush()
        let records = try folder.files.map { try Data(contentsOf: folder.url.appendingPathComponent($0)) }
        #expect(records.count == 2)
        #expect(records.allSatisfy { $0.range(of: Data("s3cret".utf8)) == nil })
        #expect(Set(try records.map { try CacheRecord(encoded: $0).variant }).count == 2)
        #expect(try records.allSatisfy { try CacheRecord(encoded: $0).variant.count == 64 })
    }
}

extension PipelineStage {
    /// Adds a transformer that creates a new entity without headers.
    fileprivate mutating func forgetHeaders() {
        add(Forgetful())
    }
}

private struct Forgetful: ResponseTransformer {
    func process(_ response: Response) -> Response {
        response.map { Entity<Any>(content: $0.content, contentType: "text/plain; charset=utf-8") }
    }
}
