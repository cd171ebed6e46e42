import Foundation
import Isolation

import SiestaTesting
import TestDoubles
import TestKit
import Testing
import Waiting

@testable import SiestaCore
@testable import SiestaNetworking

/// Responses that contain nothing new.
@MainActor @Suite(.timeLimit(.test))
struct ChangeDetectionTests {
    private struct Number: Equatable, Sendable {
        var value: Int
    }

    private let stub = StubbedResource(standardTransformers: [])
    private let recorder = ObserverRecorder()
    private let cache = InMemoryCache()
    private let runs = Locked(0)
    private var resource: Resource { stub.resource }
    private var runCount: Int { runs.withLock { $0 } }
    private var newData: Int { recorder.events.count { $0 == .newData(.network) } }

    /// Configures a detection, and a transformer that makes the last digit of a text the content.
    private func detect(_ detection: ChangeDetection) {
        let runs = runs
        stub.service.configure { $0.changeDetection = detection }
        stub.service.configureTransformer("/**") { (entity: Entity<Data>) -> Number in
            runs.withLock { $0 += 1 }
            return Number(value: Int(String(decoding: entity.content.suffix(1), as: UTF8.self)) ?? 0)
        }
        resource.addObserver(recorder)
    }

    private var value: Int? { resource.typed(as: Number.self).content?.value }

    @Test func `By default, each response is new data`() async {
        detect(.always)
        for _ in 0..<2 { await stub.load(.text("a1", headers: ["ETag": "\"1\""])) }
        #expect(newData == 2)
        #expect(runCount == 2)
        #expect(resource.configuration.changeDetection.isOn == false)
    }

    @Test func `The same bytes are not new, and the pipeline does not run`() async {
        detect(.bytes)
        await stub.load(.text("a1"))
        stub.clock.advance(by: 100)
        let info = await stub.load(.text("a1", headers: ["X-Number": "2"]))
        #expect(!info.isNew)
        #expect(info.failure == nil)
        #expect(recorder.events.suffix(2) == [.requested, .notModified])
        #expect(runCount == 1)
        #expect(value == 1)
        #expect(resource.timestamp == stub.clock.wallTime)
        #expect(resource.isUpToDate)
        #expect(resource.latestData?.header(forKey: "X-Number") == "2")
        #expect(resource.snapshot.source == .revalidated)
        await stub.load(.text("b1"))
        #expect(newData == 2)
        #expect(runCount == 2)
        await stub.load(.text("b1"))
        #expect(newData == 2)
        #expect(runCount == 2)
    }

    @Test func `Another content type is another content`() async {
        detect(.bytes)
        await stub.load(.text("a1"))
        await stub.load(.json("a1"))
        #expect(newData == 2)
        #expect(runCount == 2)
    }

    @Test func `Equal content is not new, although the pipeline has run`() async {
        detect(.equatable)
        await stub.load(.text("a1"))
        stub.clock.advance(by: 100)
        await stub.load(.text("b1"))
        #expect(newData == 1)
        #expect(runCount == 2)
        #expect(resource.isUpToDate)
        await stub.load(.text("b2"))
        #expect(newData == 2)
        #expect(value == 2)
    }

    @Test func `Content that cannot be compared is new`() async {
        stub.service.configure { $0.changeDetection = .equatable }
        stub.service.configureTransformer("/**") { (entity: Entity<Data>) -> [String: Any] in [:] }
        resource.addObserver(recorder)
        for _ in 0..<2 { await stub.load(.text("a")) }
        #expect(newData == 2)
    }

    @Test func `Texts with many combining marks are compared by their bytes`() async {
        stub.service.configure { $0.changeDetection = .equatable }
        stub.service.configureTransformer("/**") { String(decoding: ($0 as Entity<Data>).content, as: UTF8.self) }
        resource.addObserver(recorder)
        for (marks, count) in [
            ("\u{301}\u{323}", 20), ("\u{323}\u{301}", 20), ("\u{301}\u{323}", 1), ("\u{323}\u{301}", 1),
        ] {
            await stub.load(.text("a" + String(repeating: marks, count: count)))
        }
        #expect(newData == 3)  // The last two texts are equal as strings.
    }

    @Test(arguments: [ChangeDetection.bytes, .equatable], ["\"1\"", "W/\"1\""])
    func `A 200 with the same strong entity tag is not new`(_ detection: ChangeDetection, _ tag: String) async {
        detect(detection)
        await stub.load(.text("a1", headers: ["ETag": tag]))
        await stub.load(.text("b2", headers: ["ETag": tag]))
        let isStrong = !tag.hasPrefix("W/")
        #expect(newData == (isStrong ? 1 : 2))
        #expect(runCount == (isStrong ? 1 : 2))
        #expect(value == (isStrong ? 1 : 2))
    }

    @Test func `A confirmation by a 304 keeps the fingerprint`() async {
        detect(.bytes)
        await stub.load(.text("a1", headers: ["ETag": "W/\"1\""]))
        await stub.load(.notModified)
        await stub.load(.text("a1"))
        #expect(newData == 1)
        #expect(runCount == 1)
    }

    @Test func `Nothing new ends an error`() async {
        detect(.bytes)
        await stub.load(.text("a1"))
        await stub.load(.response(500))
        #expect(resource.latestError != nil)
        await stub.load(.text("a1"))
        #expect(resource.latestError == nil)
        #expect(runCount == 1)
    }

    @Test func `The body of an error is compared with nothing`() async {
        detect(.bytes)
        await stub.load(.text("a1"))
        await stub.load(.text("a1", status: 404))
        #expect(resource.latestError?.httpStatusCode == 404)
    }

    @Test func `Local data is replaced by the same response, and so is data after a wipe`() async {
        detect(.bytes)
        await stub.load(.text("a1"))
        resource.overrideLocalContent(with: Number(value: 7))
        await stub.load(.text("a1"))
        #expect(value == 1)
        #expect(newData == 2)
        resource.wipe()
        await stub.load(.text("a1"))
        #expect(value == 1)
        #expect(newData == 3)
    }

    @Test func `Local data with the entity tag of the response is replaced`() async {
        detect(.equatable)
        resource.overrideLocalData(with: Entity(content: Number(value: 7), headers: ["ETag": "\"1\""]))
        await stub.load(.text("a1", headers: ["ETag": "\"1\""]))
        #expect(value == 1)
        #expect(newData == 1)
    }

    @Test(arguments: ["\"a", "\"" + String(repeating: "a", count: 2000) + "\""])
    func `A malformed entity tag proves nothing`(_ tag: String) async {
        detect(.bytes)
        await stub.load(.text("a1", headers: ["ETag": tag]))
        await stub.load(.text("b2", headers: ["ETag": tag]))
        #expect(value == 2)
        #expect(newData == 2)
    }

    @Test func `With a limit of bytes alone, each response is new data`() async {
        stub.service.cachedResourceByteLimit = 1000
        detect(.always)
        for _ in 0..<2 { await stub.load(.text("a1", headers: ["ETag": "\"1\""])) }
        #expect(newData == 2)
        #expect(runCount == 2)
    }

    @Test func `Only a response with status 200 is compared`() async {
        detect(.bytes)
        await stub.load(.text("a1", headers: ["ETag": "\"1\""]))
        await stub.load(.text("a1", status: 203, headers: ["ETag": "\"1\""]))
        #expect(newData == 2)
        #expect(runCount == 2)
    }

    @Test func `After a seed, the body of the last load is new`() async {
        detect(.bytes)
        await stub.load(.text("a1"))
        stub.clock.advance(by: 1)
        stub.service.seed(Number(value: 7), for: resource.typed(as: Number.self))
        #expect(value == 7)
        await stub.load(.text("a1"))
        #expect(value == 1)
        #expect(newData == 2)
    }

    @Test func `An old response that the state ignores is not the last body`() async throws {
        detect(.bytes)
        stub.network.answer(.get, "/thing", with: .held)
        let (old, new) = (resource.load(), resource.load())
        try stub.exchange(1).respond(with: .text("b2"))
        await new.completion()
        try stub.exchange(0).respond(with: .text("a1"))
        await old.completion()
        #expect(value == 2)
        await stub.load(.text("a1"))
        #expect(value == 1)
    }

    @Test func `The response to another request is not compared`() async {
        detect(.bytes)
        await stub.load(.text("a1"))
        stub.network.answer(.post, "/thing", with: .text("a1"))
        let info = await resource.request(.post).completion()
        #expect(info.isNew)
        #expect(info.body?.data == Data("a1".utf8))
    }

    @Test func `The response to a load of another resource is new, though it is not new there`() async {
        detect(.bytes)
        stub.network.answer(.get, "/other", with: .text("b2"))
        let other = stub.service.resource("/other")
        await other.load().completion()
        await stub.load(.text("a1"))
        await resource.load(using: other.load()).completion()
        #expect(value == 2)
        #expect(recorder.events.suffix(2) == [.requested, .newData(.network)])
        #expect(other.timestamp == stub.clock.wallTime)
    }

    /// Loads the same bytes twice. Local data replaces their content during the second load.
    @discardableResult
    private func loadTwiceAndOverride() async throws -> ResponseInfo {
        await stub.load(.text("a1"))
        stub.network.answer(.get, "/thing", with: .held)
        let load = resource.load()
        resource.overrideLocalContent(with: Number(value: 7))
        try stub.exchange(1).respond(with: .text("a1"))
        return await load.completion()
    }

    @Test func `A confirmation of data that was replaced during the load does not reach caches`() async throws {
        let cache = cache
        stub.service.configure { $0.pipeline[.cleanup].cacheUsing(cache) }
        detect(.bytes)
        try await loadTwiceAndOverride()
        await stub.load(.text("b2"))
        let key = resource.url.absoluteString
        try await Poll.until { cache.entities[key]?.content as? Number == Number(value: 2) }
        #expect(!cache.operations.contains(.updateTimestamp(key)))
    }

    @Test func `The same bytes are stored in caches again if local data has replaced their content`() async throws {
        let (cache, key) = (cache, resource.url.absoluteString)
        stub.service.configure { $0.pipeline[.cleanup].cacheUsing(cache) }
        detect(.bytes)
        #expect(try await loadTwiceAndOverride().isNew)
        await resource.cachesAreWritten()
        #expect(runCount == 1)
        #expect(cache.operations.suffix(2) == [.remove(key), .write(key)])
        #expect(cache.entities[key]?.content as? Number == Number(value: 1))
    }

    @Test func `The size of a resource is not that of an earlier one at the same place in memory`() async {
        detect(.bytes)
        stub.network.answer(.get, "/a", with: .text("a1"))
        await stub.service.resource("/a").load().completion()
        for _ in 0..<10 { await mainQueueTurn() }
        stub.service.flushUnusedResources()
        let others = (0..<100).map { stub.service.resource("/other/\($0)") }
        for resource in others { resource.overrideLocalContent(with: Number(value: 1)) }
        #expect(others.allSatisfy { stub.service.context.contentRecords?.size(of: $0) == 0 })
    }

    @Test func `Data that is replaced during the load is replaced again`() async throws {
        detect(.bytes)
        await stub.load(.text("a1"))
        stub.network.answer(.get, "/thing", with: .held)
        let load = resource.load()
        resource.overrideLocalContent(with: Number(value: 7))
        try stub.exchange(1).respond(with: .text("a1"))
        #expect(await load.completion().isNew)
        #expect(value == 1)
        #expect(newData == 2)
    }

    @Test func `Data that a hook replaces just before the end is replaced again`() async throws {
        detect(.bytes)
        await stub.load(.text("a1"))
        stub.network.answer(.get, "/thing", with: .held)
        let load = resource.load()
        load.onProgress { [resource] in if $0 == 1 { resource.overrideLocalContent(with: Number(value: 7)) } }
        try stub.exchange(1).respond(with: .text("a1"))
        await load.completion()
        #expect(value == 1)
        #expect(newData == 2)
    }

    @Test func `After a change of the configuration, the same bytes are new`() async {
        detect(.bytes)
        await stub.load(.text("a1"))
        stub.service.configureTransformer("/**") { (entity: Entity<Data>) in Number(value: 41) }
        await stub.load(.text("a1"))
        #expect(value == 41)
        #expect(newData == 2)
    }

    @Test func `The timestamp advances in caches, too`() async throws {
        let cache = cache
        stub.service.configure { $0.pipeline[.cleanup].cacheUsing(cache) }
        detect(.bytes)
        await stub.load(.text("a1"))
        stub.clock.advance(by: 100)
        await stub.load(.text("a1"))
        let key = resource.url.absoluteString
        try await Poll.until { cache.entities[key]?.timestamp == stub.clock.wallTime }
        #expect(cache.operations.suffix(2) == [.write(key), .updateTimestamp(key)])
    }

    @Test func `Equal content is written to caches with its new headers`() async throws {
        let cache = cache
        stub.service.configure { $0.pipeline[.cleanup].cacheUsing(cache) }
        detect(.equatable)
        await stub.load(.text("a1"))
        await stub.load(.text("b1", headers: ["ETag": "\"2\""]))
        try await Poll.until { cache.entities[resource.url.absoluteString]?.etag == "\"2\"" }
        #expect(newData == 1)
    }

    @Test func `Data from a cache is compared by its entity tag`() async {
        let cache = cache
        cache.entities[resource.url.absoluteString] = Entity(
            content: Number(value: 1), headers: ["ETag": "\"1\""], timestamp: stub.clock.wallTime - 1000)
        stub.service.configure { $0.pipeline[.cleanup].cacheUsing(cache) }
        detect(.bytes)
        _ = (try? await resource.get(.cached))
        await stub.load(.text("b2", headers: ["ETag": "\"1\""]))
        #expect(newData == 0)
        #expect(value == 1)
        #expect(runCount == 0)
        #expect(resource.snapshot.source == .revalidated)
    }

    @Test func `Content revisions change with the content, and not with confirmations`() {
        var state = Resource.State()
        let now = Resource.State.Moment(wallTime: 1, monotonicTime: 1)
        state.setCachedData(Entity(content: "a", headers: [:], timestamp: 0), at: now)
        let (content, data) = (state.contentRevision, state.dataRevision)
        let info = ResponseInfo(response: .success(state.data ?? Entity(content: "", headers: [:])), isNew: false)
        let number = state.beginLoad()
        #expect(state.endLoad(number, with: info, at: now) == .notModified)
        #expect(state.contentRevision == content)
        #expect(state.dataRevision != data)
        state.overrideData(Entity(content: "b", headers: [:], timestamp: 0), at: now)
        #expect(state.contentRevision == content + 1)
        state.wipe(loadsUpTo: 1)
        #expect(state.contentRevision == content + 2)
    }
}
