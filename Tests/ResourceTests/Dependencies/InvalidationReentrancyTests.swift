import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing
import Waiting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Code of the app that invalidates, wipes and writes while an invalidation calls it.
@MainActor @Suite(.timeLimit(.test))
struct InvalidationReentrancyTests {
    private let bench = DependentService()
    private var service: Service { bench.service }

    /// An action that code of the app performs once.
    private final class Action {
        var run: (() -> Void)?

        func callAsFunction() { exchange(&run, with: nil)?() }
    }

    /// Actions of code that an invalidation calls.
    private nonisolated static let actions: [@MainActor @Sendable (Service) -> Void] = [
        { $0.invalidate(tagged: "users") }, { $0.invalidate(matching: "/**") }, { $0.wipeResources() },
        { $0.wipeResources(includingCaches: true) }, { $0.resource("/users").load(.replace) },
        { $0.resource("/users").overrideLocalContent(with: "local") }, { $0.flushUnusedResources() },
        { $0.configure("/users") { $0.tags.insert("more") } }, { _ = $0.resource("/users").request(.post) },
    ]

    @Test(arguments: actions.indices, 0..<5)
    func `An action in the middle of an invalidation`(_ index: Int, _ place: Int) async {
        let (service, action) = (service, Action())
        let run = { (number: Int) in
            if number == place { action() }
        }
        service.configure("/users") {
            $0.tagEntities { _ in
                run(0)
                return ["computed"]
            }
            $0.mutateRequests { _ in run(1) }
            $0.decorateRequests { _, request in
                run(2)
                return request
            }
        }
        service.configure("/users", requestMethods: [.post]) {
            $0.addInvalidations { _, _ in
                run(3)
                return ["users"]
            }
        }
        await bench.load(bench.users, bench.user)
        let owner = Owner()
        bench.users.addObserver(owner: owner) { _, event in
            if event != .observerAdded { run(4) }
        }
        action.run = { Self.actions[index](service) }
        await bench.users.request(.post).completion()
        service.invalidate(tagged: "computed")
        service.invalidate(tagged: "users")
        await bench.settle()
        #expect(action.run == nil)
        #expect(bench.users.loadRequests.isEmpty)
        #expect(bench.loads(of: "/users") < 12)
        await bench.users.load().completion()
        #expect(bench.users.typed(as: String.self).content == "users")
        #expect(bench.users.isUpToDate)
    }

    /// Makes each of two resources invalidate the other one, whenever it has changed.
    private func makeCircle(_ owner: Owner) async -> (Resource, Resource) {
        let service = service
        service.configure("/users") { $0.tags = ["a"] }
        service.configure("/teams") { $0.tags = ["b"] }
        await bench.load(bench.users, bench.teams)
        for (resource, tag) in [(bench.users, "b"), (bench.teams, "a")] {
            resource.addObserver(owner: owner) { _, event in
                if event != .observerAdded, event != .requested { service.invalidate(tagged: tag) }
            }
        }
        return (bench.users, bench.teams)
    }

    @Test(arguments: [StubAnswer.text("x"), .response(500), .failure(.timedOut), .notModified])
    func `Two resources that invalidate each other end`(_ answer: StubAnswer) async {
        let owner = Owner()
        let (users, _) = await makeCircle(owner)
        bench.network.answer(.get, "/users", with: answer)
        bench.network.answer(.get, "/teams", with: answer)
        users.load()
        for _ in 0..<10 { await bench.settle() }
        let count = bench.network.requests.count
        #expect(count < 40)
        for _ in 0..<5 { await bench.settle() }
        #expect(bench.network.requests.count == count)
    }

    @Test func `The release of the service in the middle of an invalidation`() async throws {
        final class Holder { var service: Service? }
        let (holder, network, owner) = (Holder(), StubNetwork(), Owner())
        network.handler = { _ in .text("x") }
        var resource: Resource?
        do {
            let service = Service(baseURL: "https://api.test", networking: network)
            service.configure {
                $0.tagEntities { _ in
                    holder.service = nil
                    return ["x"]
                }
            }
            holder.service = service
            resource = service.resource("/a")
        }
        await resource?.load().completion()
        resource?.addObserver(owner: owner) { _, _ in }
        weak let service = holder.service
        holder.service?.invalidate(tagged: "x")
        try await Poll.until { service == nil && resource?.loadRequests.isEmpty == true }
    }

    @Test func `The groups of a response that cannot be parsed count`() async {
        bench.network.answer(
            .post, "/other", with: .json("no json", headers: ["Cache-Group-Invalidation": "\"users\""]))
        service.configureTransformer("/other") { (_: Entity<String>) -> Int in throw CocoaError(.coderReadCorrupt) }
        await bench.load(bench.users)
        #expect(bench.users.isUpToDate)
        let info = await service.resource("/other").request(.post).completion()
        #expect(info.failure != nil)
        #expect(!bench.users.isUpToDate)
    }

    @Test func `A pattern that wipes the resource while its cache is read`() async {
        let (service, cache) = (service, InMemoryCache())
        service.configure { $0.pipeline[.cleanup].cacheUsing(cache) }
        let resource = service.resource("/cached")
        cache.entities[resource.url.absoluteString] = Entity(
            content: "old", headers: [:], timestamp: bench.clock.wallTime - 10)
        let action = Action()
        service.configure("/cached") {
            $0.tagEntities { _ in
                action()
                return []
            }
        }
        service.invalidate(tagged: "other")
        action.run = { resource.overrideLocalContent(with: "local") }
        _ = (try? await resource.get(.cached))
        #expect(resource.latestData?.content as? String == "local")
    }
}
