import CacheTorture
import Foundation
import SiestaCaches
import SiestaCore
import SiestaTesting
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Caches that outlive the process, as an app uses them: new services on the same folder.
@MainActor @Suite(.timeLimit(.test))
struct PersistenceTests {
    private let folder: TestFolder
    private let clock = TestClock()

    init() throws {
        folder = try TestFolder()
    }

    private struct User: Codable, Sendable, Equatable {
        var name: String
    }

    private func service(
        _ network: StubNetwork = StubNetwork(), configure: (inout Configuration) -> Void = { _ in }
    ) -> Service {
        let service = clock.whileCurrent { Service(baseURL: "http://cache.test", networking: network) }
        let url = folder.url
        service.configure { $0.pipeline[.rawData].cacheUsing(.file(at: url)) }
        return service
    }

    private func flush() async throws {
        try await PersistentCache.file(at: folder.url).storage.flush()
    }

    @Test func `Data is there after a restart, and the server is asked whether it is still right`() async throws {
        let network = StubNetwork()
        network.answer(
            .get, "/x", with: .json(#"{"name": "Ada"}"#, headers: ["ETag": "\"1\"", "Set-Cookie": "secret"]))
        let first = service(network)
        await first.resource("/x").load().completion()
        try await flush()

        clock.advance(by: 31)
        let later = StubNetwork()
        later.answer(.get, "/x", with: .notModified)
        let resource = service(later).resource("/x")
        await resource.loadIfNeeded()?.completion()
        #expect(resource.jsonDict["name"] as? String == "Ada")
        #expect(later.requests.last?.value(forHTTPHeaderField: "If-None-Match") == "\"1\"")
        #expect(resource.latestData?.header(forKey: "Set-Cookie") == nil)
        #expect(resource.isUpToDate)
    }

    @Test(arguments: [0.5, 29, 3_600, 86_400 * 365] as [TimeInterval])
    func `Data that was stored while the clock was ahead is asked for again, at the first launch and at the next`(
        ahead: TimeInterval
    ) async throws {
        let network = StubNetwork()
        network.answer(.get, "/x", with: .text("x", headers: ["ETag": "\"1\""]))
        await service(network).resource("/x").load().completion()
        try await flush()
        clock.setWallTime(clock.wallTime - ahead)

        for _ in 1...2 {
            let later = StubNetwork()
            later.answer(.get, "/x", with: .failure(.notConnectedToInternet))
            let resource = service(later).resource("/x")
            await resource.loadIfNeeded()?.completion()
            #expect(resource.text == "x")
            #expect(later.requests.count == 1)
        }

        let later = StubNetwork()
        later.answer(.get, "/x", with: .notModified)
        let resource = service(later).resource("/x")
        await resource.loadIfNeeded()?.completion()
        #expect(later.requests.count == 1)
        #expect(resource.isUpToDate)
        #expect(resource.timestamp == clock.wallTime)
        try await flush()
        let next = service().resource("/x")
        await next.loadIfNeeded()?.completion()
        #expect(next.isUpToDate, "The confirmation has corrected the date.")
    }

    @Test func `Data counts its age from when it was stored`() async throws {
        let network = StubNetwork()
        network.answer(.get, "/x", with: .text("x"))
        await service(network).resource("/x").load().completion()
        try await flush()
        clock.advance(by: 29)
        let resource = service().resource("/x")
        #expect(resource.loadIfNeeded() != nil)
        await resource.loadIfNeeded()?.completion()
        #expect(resource.text == "x")
        #expect(resource.timestamp == clock.wallTime - 29)
        clock.advance(by: 2)
        #expect(!resource.isUpToDate)
    }

    @Test func `What varies by language is not shown in another, and is there in its own`() async throws {
        let network = StubNetwork()
        network.answer(.get, "/x", with: .text("Guten Tag", headers: ["Vary": "Accept-Language"]))
        for (language, text) in [("de", "Guten Tag"), ("en", nil), ("de", "Guten Tag")] {
            let service = service(network)
            service.configure { $0.headers["Accept-Language"] = language }
            if network.requests.isEmpty { await service.resource("/x").load().completion() }
            await service.warm(urls: ["http://cache.test/x"])
            #expect(service.resource("/x").latestData?.text == text)
            try await flush()
        }
    }

    @Test func `Models of a Codable type are kept by themselves`() async throws {
        let network = StubNetwork()
        network.answer(.get, "/users/1", with: .json(#"{"name": "Ada"}"#))
        let url = folder.url
        for network in [network, StubNetwork()] {
            let service = clock.whileCurrent { Service(baseURL: "http://cache.test", networking: network) }
            service.decode("/users/*", as: User.self)
            service.configure("/users/*") { $0.pipeline[.model].cacheUsing(.file(at: url, of: User.self)) }
            let user: TypedResource<User> = service.resource("/users/1", as: User.self)
            #expect(try await user.get() == User(name: "Ada"))
            try await flush()
        }
    }

    @Test func `A wipe that includes caches reaches writes that are under way`() async throws {
        let network = StubNetwork()
        network.answer(.get, "/x", with: .text("x"))
        let first = service(network)
        await first.resource("/x").load().completion()
        first.resource("/x").wipe(includingCaches: true)
        try await flush()
        let resource = service().resource("/x")
        #expect(resource.latestData == nil)
        await resource.loadIfNeeded()?.completion()
        #expect(resource.latestData == nil)
        #expect(folder.files.isEmpty)
    }

    @Test func `A plain wipe brings back what is stored`() async throws {
        let network = StubNetwork()
        network.answer(.get, "/x", with: .text("x"))
        let resource = service(network).resource("/x")
        await resource.load().completion()
        resource.wipe()
        #expect(resource.latestData == nil)
        await resource.loadIfNeeded()?.completion()
        #expect(resource.text == "x")
        #expect(network.requests.count == 1)
    }
}
