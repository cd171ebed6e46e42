import CacheTorture
import Foundation
import SiestaCaches
import SiestaCore
import SiestaTesting
import SiestaWriting
import TestKit
import Testing

/// Changes of data, and what a new start of the app finds in persistent caches.
@MainActor @Suite(.timeLimit(.test))
struct ChangesAndCachesTests {
    private let folder: TestFolder
    private let clock = TestClock()
    private let network = StubNetwork()

    init() throws {
        folder = try TestFolder()
    }

    private struct User: Codable, Sendable, Equatable {
        var name: String
    }

    /// Starts the app: a service whose stage `stage` has a cache, and one of its resources.
    private func start(_ stage: PipelineStageKey, _ network: StubNetwork) -> TypedResource<User> {
        let service = clock.whileCurrent {
            Service(baseURL: "http://cache.test", standardTransformers: [], networking: network)
        }
        let url = folder.url
        service.configure {
            if stage == .model {
                $0.pipeline[.model].cacheUsing(.file(at: url, of: User.self))
            } else {
                $0.pipeline[stage].cacheUsing(.file(at: url))
            }
        }
        service.decode("/x", as: User.self, requestMethods: [.get])
        return service.resource("/x").typed()
    }

    private func load(_ stage: PipelineStageKey) async throws -> TypedResource<User> {
        network.answer(.get, "/x", with: .json(#"{"name": "Ada"}"#, headers: ["ETag": "\"1\""]))
        let user = start(stage, network)
        try await user.get(.always)
        return user
    }

    /// Returns what the next start of the app shows without a network.
    private func nextStart(_ stage: PipelineStageKey) async throws -> String? {
        try await PersistentCache.file(at: folder.url).storage.flush()
        let offline = StubNetwork()
        offline.answer(.get, "/x", with: .failure(.notConnectedToInternet))
        let user = start(stage, offline)
        await user.loadIfNeeded()?.completion()
        return user.content?.name
    }

    @Test(arguments: [PipelineStageKey.rawData, .model])
    func `While a change is pending, caches keep the data of the server`(stage: PipelineStageKey) async throws {
        let user = try await load(stage)
        network.answer(.patch, "/x", with: .held)
        let change = user.mutate(.patch, body: .encoded(["name": "Grace"])) { $0.name = "Grace" }
        #expect(user.content?.name == "Grace")
        #expect(try await nextStart(stage) == "Ada")
        change.cancel()
        #expect(try await nextStart(stage) == "Ada")
    }

    @Test(arguments: [PipelineStageKey.rawData, .model])
    func `The response to a change is stored as the response to a load`(stage: PipelineStageKey) async throws {
        let user = try await load(stage)
        network.answer(.patch, "/x", with: .json(#"{"name": "Grace"}"#, headers: ["ETag": "\"2\""]))
        _ = try await user.mutate(.patch, body: .encoded(["name": "Grace"])) { $0.name = "Grace" }.value
        #expect(try await nextStart(stage) == "Grace")
    }

    @Test func `An edit that has become data is stored by the cache of the last stage`() async throws {
        let user = try await load(.model)
        network.answer(.patch, "/x", with: .response(204))
        _ = try await user.mutate(.patch, body: .encoded(["name": "Grace"])) { $0.name = "Grace" }.value
        #expect(try await nextStart(.model) == "Grace")
    }

    @Test func `The response to a load that began before the end of a change does not replace the stored result`()
        async throws
    {
        let user = try await load(.rawData)
        network.answer(.get, "/x", with: .held)
        network.answer(.patch, "/x", with: .held)
        let change = user.mutate(.patch, body: .encoded(["name": "Grace"])) { $0.name = "Grace" }
        let load = user.resource.load()
        let late = try await network.exchange(3)
        try await network.exchange(2).respond(with: .json(#"{"name": "Grace"}"#))
        _ = try await change.value
        late.respond(with: .json(#"{"name": "Old"}"#))
        await load.completion()
        #expect(try await nextStart(.rawData) == "Grace")
    }

    @Test(arguments: [PipelineStageKey.rawData, .model])
    func `Typed content that the app sets leaves the stored data in place`(stage: PipelineStageKey) async throws {
        let user = try await load(stage)
        user.content?.name = "Grace"
        #expect(try await nextStart(stage) == "Ada")
    }

    @Test func `An override removes the stored data, as in 1.5`() async throws {
        let user = try await load(.rawData)
        user.resource.overrideLocalContent(with: User(name: "Grace"))
        #expect(try await nextStart(.rawData) == nil)
    }
}
