import Dispatch
import Foundation
import LoopbackServer
import SiestaCaches
import SiestaCore
import SiestaTesting
import SiestaTransfers
import TestKit
import Testing

/// In release mode, an optimizer may remove the return to the actor of the caller from an async function.
@MainActor
@Suite(.timeLimit(.test))
struct CallerIsolationTests {
    private let network = StubNetwork()
    private let service: Service
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    init() {
        service = Service(baseURL: "https://api.test", networking: network)
        network.answer(.get, "/items", with: .json("[1]", headers: ["ETag": "1"]))
        network.answer(.put, "/items", with: .json("[1]"))
    }

    private nonisolated static let mainQueue = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    private nonisolated var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: Self.mainQueue) == true }

    /// Repeats the work, because a function that happens not to wait returns without a change of the thread. The work
    /// itself finds out its thread: a call of a closure ends on the actor of the caller.
    private func returns(_ name: String, _ work: @MainActor () async throws -> Bool) async rethrows {
        for _ in 0..<20 {
            await Task { @MainActor in await Task.yield() }.value
            guard try await !work() else { continue }
            Issue.record("\(name) has left the main actor")
            return
        }
    }

    @Test func `Functions of a storage return to the main actor`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        service.configure { [folder] in $0.pipeline[.rawData].cacheUsing(.file(at: folder)) }
        _ = try await service.resource("/items").load().value
        let storage = try #require(service.caches.first)
        try await returns("flush") {
            try await storage.flush()
            return isOnMainQueue
        }
        await returns("statistics") {
            _ = await storage.statistics()
            return isOnMainQueue
        }
        try await returns("compact") {
            try await storage.compact()
            return isOnMainQueue
        }
        try await returns("remove") {
            try await storage.remove(principal: "ada")
            return isOnMainQueue
        }
        try await returns("clear") {
            try await storage.clear()
            return isOnMainQueue
        }
    }

    @Test func `Functions of stores return to the main actor`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let stores: [any RecordStore] = [FileRecordStore(folder: folder), MemoryRecordStore()]
        for store in stores {
            try await returns("apply of \(store.name)") {
                try await store.apply([])
                return isOnMainQueue
            }
            try await returns("read of \(store.name)") {
                _ = try await store.read([])
                return isOnMainQueue
            }
            try await returns("flush of \(store.name)") {
                try await store.flush()
                return isOnMainQueue
            }
            try await returns("usage of \(store.name)") {
                _ = try await store.usage()
                return isOnMainQueue
            }
            try await returns("allKeys of \(store.name)") {
                _ = try await store.allKeys()
                return isOnMainQueue
            }
            try await returns("compact of \(store.name)") {
                try await store.compact()
                return isOnMainQueue
            }
        }
    }

    @Test func `Requests and resources return to the main actor`() async throws {
        let resource = service.resource("/items")
        let items = service.resource("/items", as: [Int].self)
        try await returns("value") {
            _ = try await resource.load().value
            return isOnMainQueue
        }
        await returns("response") {
            _ = await resource.load().response
            return isOnMainQueue
        }
        try await returns("finished") {
            _ = try await resource.request(.put).value
            return isOnMainQueue
        }
        try await returns("decoded") {
            _ = try await resource.request(.put).value.decoded(as: [Int].self)
            return isOnMainQueue
        }
        try await returns("content") {
            _ = try await resource.request(.put).value.content(as: Void.self)
            return isOnMainQueue
        }
        await returns("completion") {
            await resource.load().completion()
            return isOnMainQueue
        }
        try await returns("load(using:)") {
            _ = try await items.load(using: items.request(.put)).value
            return isOnMainQueue
        }
        await returns("fresh") {
            items.invalidate()
            _ = try? await items.get()
            return isOnMainQueue
        }
    }

    @Test func `Sequences return to the main actor`() async throws {
        let resource = service.resource("/items")
        let states = ResourceStates(resource: resource).makeAsyncIterator()
        await returns("states") {
            resource.overrideLocalContent(with: [1])
            _ = await states.next()
            return isOnMainQueue
        }
        let events = ResourceEvents(resource: resource).makeAsyncIterator()
        await returns("events") {
            resource.overrideLocalContent(with: [1])
            _ = await events.next()
            return isOnMainQueue
        }
        let server = try LoopbackServer { try $0.respond(text: "1\n2\n") }
        let remote = Service(baseURL: server.url()).resource("/items")
        try await returns("bytes") {
            for try await _ in remote.bytes {}
            return isOnMainQueue
        }
        try await returns("lines") {
            for try await _ in remote.lines {}
            return isOnMainQueue
        }
    }

    @Test func `Functions for tests return to the main actor`() async throws {
        let clock = TestClock()
        clock.clock.schedule(after: 60) {}
        try await returns("waitForTimers") {
            try await clock.waitForTimers(1)
            return isOnMainQueue
        }
        service.resource("/items").load()
        try await returns("exchange") {
            _ = try await network.exchange(1)
            return isOnMainQueue
        }
    }

    @Test func `Functions of cookies return to the main actor`() async throws {
        let server = try LoopbackServer { try $0.respond(headers: ["Set-Cookie: a=1"], text: "1") }
        let shop = Service(baseURL: server.url(), cookies: .inMemory)
        _ = await shop.resource("/").load().completion()
        await returns("cookies") {
            _ = await shop.cookies
            return isOnMainQueue
        }
        await returns("removeCookies(matching:)") {
            await shop.removeCookies { $0.name == "b" }
            return isOnMainQueue
        }
        await returns("removeCookies()") {
            await shop.removeCookies()
            return isOnMainQueue
        }
    }
}
