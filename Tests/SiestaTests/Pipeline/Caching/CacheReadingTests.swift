import CacheTorture
import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

@MainActor @Suite(.timeLimit(.test))
struct CacheReadingTests {
    private let bench = CacheBench()

    /// An operation that makes a resource read its caches.
    enum Trigger: CaseIterable, Sendable {
        case addObserver, addClosureObserver, latestData, timestamp, isUpToDate, text, jsonDict, typedContent
        case loadIfNeeded, load

        @MainActor func pull(_ resource: Resource, owner: ObserverRecorder) {
            switch self {
            case .addObserver: resource.addObserver(owner)
            case .addClosureObserver: resource.addObserver(owner: owner) { _, _ in }
            case .latestData: _ = resource.latestData
            case .timestamp: _ = resource.timestamp
            case .isUpToDate: _ = resource.isUpToDate
            case .text: _ = resource.text
            case .jsonDict: _ = resource.jsonDict
            case .typedContent: _ = resource.typedContent(ifNone: 0)
            case .loadIfNeeded: resource.loadIfNeeded()
            case .load: resource.load()
            }
        }
    }

    // MARK: Time of reading

    @Test(arguments: Trigger.allCases)
    func `The caches are read once a resource is first observed or its data is first asked for`(trigger: Trigger) async
    {
        bench.cache(at: .model)
        bench.network.answer(.get, "/x", with: .held)
        let resource = bench.resource
        trigger.pull(resource, owner: bench.recorder)
        await bench.journal.wait(for: "read model")
        #expect(bench.journal.entries("read") == ["read model"])
    }

    @Test func `Navigating, describing and configuring resources reads no cache`() {
        bench.cache(at: .model)
        let resource = bench.resource
        _ = resource.child("a").relative("../b").withParam("c", "d")
        _ = resource.description
        _ = resource.configuration
        _ = resource.url
        _ = resource.isLoading
        _ = resource.latestError
        resource.invalidate()
        #expect(bench.journal.entries.isEmpty)
    }

    @Test func `A plain request reads no cache`() async {
        bench.cache(at: .model)
        bench.network.answer(.post, "/x", with: .text("x"))
        await bench.resource.request(.post).completion()
        #expect(bench.journal.entries("read").isEmpty)
    }

    @Test func `The caches are read once`() async {
        let cache = bench.cache(at: .model)
        cache["/x"] = bench.entity("cached")
        let resource = bench.resource
        resource.addObserver(bench.recorder)
        Trigger.latestData.pull(resource, owner: bench.recorder)
        await bench.recorder.heard(.newData(.cache))
        for trigger in [Trigger.latestData, .timestamp, .isUpToDate, .text, .addClosureObserver, .loadIfNeeded] {
            trigger.pull(resource, owner: bench.recorder)
        }
        await bench.finishCacheWork(of: cache)
        #expect(bench.journal.entries("read") == ["read model"])
    }

    @Test func `Without a hit the caches are read once, too`() async {
        let cache = bench.cache(at: .model)
        let resource = bench.resource
        #expect(resource.latestData == nil)
        await bench.journal.wait(for: "read model")
        await mainQueueTurn()
        #expect(resource.latestData == nil)
        await bench.finishCacheWork(of: cache)
        #expect(bench.journal.entries("read") == ["read model"])
    }

    // MARK: Results

    @Test
    func `A hit becomes the latest data, as it was stored, and observers are told newData from the cache`() async {
        let cache = bench.cache(at: .model)
        cache["/x"] = bench.entity("cached", age: 12, headers: ["ETag": "tag", "Content-Type": "text/x"])
        let resource = bench.resource
        resource.addObserver(bench.recorder)
        #expect(resource.latestData == nil)
        await bench.recorder.heard(.newData(.cache))
        #expect(bench.recorder.events == [.observerAdded, .newData(.cache)])
        #expect(bench.recorder.records.last?.data?.text == "cached")
        #expect(resource.latestData?.timestamp == bench.clock.wallTime - 12)
        #expect(resource.latestData?.etag == "tag")
        #expect(resource.latestData?.contentType == "text/x")
        #expect(resource.latestError == nil)
    }

    @Test func `The caches are read last stage first`() async {
        for stage in [PipelineStageKey.rawData, .parsing, .cleanup] { bench.cache(at: stage) }
        _ = bench.resource.latestData
        await bench.journal.wait(for: "read rawData")
        #expect(bench.journal.entries("read") == ["read cleanup", "read parsing", "read rawData"])
    }

    @Test func `A hit ends the search`() async {
        let caches = [PipelineStageKey.rawData, .parsing, .cleanup].map { bench.cache(at: $0) }
        for cache in caches { cache["/x"] = bench.entity(cache.name) }
        caches[2]["/x"] = nil
        bench.resource.addObserver(bench.recorder)
        await bench.recorder.heard(.newData(.cache))
        #expect(bench.resource.text == "parsing")
        await bench.finishCacheWork(of: caches[0])
        #expect(bench.journal.entries("read") == ["read cleanup", "read parsing"])
    }

    @Test func `A hit runs through the stages after its own, and those alone`() async {
        for stage in [PipelineStageKey.decoding, .parsing, .model, .cleanup] { bench.exclaim(at: stage) }
        bench.cache(at: .parsing)["/x"] = bench.entity("cached")
        bench.resource.addObserver(bench.recorder)
        await bench.recorder.heard(.newData(.cache))
        #expect(bench.resource.text == "cached!!")
    }

    @Test func `A hit in a cache of raw data is parsed`() async {
        bench.cache(at: .rawData)["/x"] = bench.entity(
            Data(#"{"a": 1}"#.utf8), headers: ["Content-Type": "application/json"])
        bench.resource.addObserver(bench.recorder)
        await bench.recorder.heard(.newData(.cache))
        #expect(bench.resource.jsonDict["a"] as? Int == 1)
    }

    @Test func `A hit that later stages refuse is skipped, and the search goes on`() async {
        bench.exclaim(at: .cleanup)
        bench.cache(at: .model)["/x"] = bench.entity(12)
        bench.cache(at: .parsing)["/x"] = bench.entity("older")
        bench.resource.addObserver(bench.recorder)
        await bench.recorder.heard(.newData(.cache))
        #expect(bench.resource.text == "older!")
        #expect(bench.journal.entries("read") == ["read model", "read parsing"])
    }

    @Test func `If later stages refuse all hits there is neither data nor an error, and nobody is told`() async {
        bench.exclaim(at: .cleanup)
        bench.cache(at: .model)["/x"] = bench.entity(12)
        let resource = bench.resource.addObserver(bench.recorder)
        await bench.journal.wait(for: "read model")
        bench.network.answer(.get, "/x", with: .failure(.timedOut))
        await resource.loadIfNeeded()?.completion()
        #expect(resource.latestData == nil)
        #expect((resource.latestError?.cause as? URLError)?.code == .timedOut)
        #expect(bench.recorder.events == [.observerAdded, .requested, .error])
    }

    // MARK: Resources and keys

    @Test func `A cache that gives no key for a resource is neither read nor written for it, and others are`() async {
        let picky = bench.cache(at: .model)
        let other = bench.service.resource("/uncached")
        _ = other.latestData
        bench.network.answer(.get, "/uncached", with: .text("x"))
        await other.load().completion()
        #expect(other.text == "x")
        other.overrideLocalContent(with: "y")
        bench.network.answer(.get, "/x", with: .text("x"))
        await bench.resource.load().completion()
        await bench.journal.wait(for: "write model")
        await bench.finishCacheWork(of: picky)
        #expect(bench.journal.entries("read") == ["read model"])
        #expect(bench.journal.entries("write") == ["write model"])
        #expect(bench.journal.entries("remove") == ["remove model"])
    }

    @Test func `A resource without a cache has nothing to read`() async {
        let resource = bench.resource.addObserver(bench.recorder)
        bench.network.answer(.get, "/x", with: .text("x"))
        await resource.loadIfNeeded()?.completion()
        #expect(bench.recorder.events == [.observerAdded, .requested, .newData(.network)])
    }

    @Test func `doNotCache takes the cache of earlier configuration away`() async {
        let cache = bench.cache(at: .model)
        cache["/x"] = bench.entity("cached")
        bench.service.configure("/x") { $0.pipeline[.model].doNotCache() }
        #expect(bench.resource.latestData == nil)
        #expect(bench.journal.entries.isEmpty)
    }

    @Test func `removeAllCaches takes all caches of earlier configuration away`() async {
        for stage in [PipelineStageKey.rawData, .cleanup] { bench.cache(at: stage)["/x"] = bench.entity("cached") }
        bench.service.configure("/x") { $0.pipeline.removeAllCaches() }
        #expect(bench.resource.latestData == nil)
        #expect(bench.journal.entries.isEmpty)
    }

    @Test func `A stage that the order does not name has no cache`() {
        bench.cache(at: .model)
        bench.service.configure("/x") { $0.pipeline.order = [.rawData, .parsing] }
        #expect(bench.resource.latestData == nil)
        #expect(bench.journal.entries.isEmpty)
    }
}
