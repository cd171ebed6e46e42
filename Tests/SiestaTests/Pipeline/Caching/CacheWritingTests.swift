import CacheTorture
import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@MainActor @Suite(.timeLimit(.test))
struct CacheWritingTests {
    private let bench = CacheBench()

    private struct Refusal: Error {}

    private func load(_ answer: StubAnswer) async {
        bench.network.answer(.get, "/x", with: answer)
        await bench.resource.load().completion()
    }

    // MARK: Responses that are written

    @Test func `The cache of a stage gets what the stage made of a success`() async {
        let raw = bench.cache(at: .rawData)
        let parsed = bench.cache(at: .parsing)
        let model = bench.cache(at: .model)
        bench.exclaim(at: .model)
        await load(.text("x", headers: ["ETag": "tag"]))
        await bench.journal.wait(for: "write model")
        #expect(bench.journal.entries("write") == ["write rawData", "write parsing", "write model"])
        #expect(raw["/x"]?.content as? Data == Data("x".utf8))
        #expect(parsed["/x"]?.content as? String == "x")
        #expect(model["/x"]?.content as? String == "x!")
        for cache in [raw, parsed, model] {
            #expect(cache["/x"]?.etag == "tag")
            #expect(cache["/x"]?.timestamp == bench.clock.wallTime)
        }
    }

    @Test func `What was written is there for the next service`() async {
        let cache = InMemoryCache()
        let network = bench.network
        network.answer(.get, "/x", with: .json(#"{"a": 1}"#))
        for expectedRequests in [1, 1] {
            let service = bench.clock.whileCurrent { Service(baseURL: "http://cache.test", networking: network) }
            service.configure { $0.pipeline[.parsing].cacheUsing(cache) }
            let resource = service.resource("/x")
            await resource.loadIfNeeded()?.completion()
            while cache.entities.isEmpty, !Task.isCancelled { await mainQueueTurn() }
            #expect(resource.jsonDict["a"] as? Int == 1)
            #expect(network.requests.count == expectedRequests)
        }
    }

    @Test func `Content of a response without a transformer is written, too`() async {
        let cache = bench.cache(at: .cleanup)
        await load(.response(200, body: Data([1])))
        await bench.journal.wait(for: "write cleanup")
        #expect(cache["/x"]?.content as? Data == Data([1]))
    }

    // MARK: Responses that are not written

    @Test(arguments: [StubAnswer.response(404), .json("{}", status: 500), .failure(.timedOut)])
    func `Errors are never written`(answer: StubAnswer) async {
        let cache = bench.cache(at: .rawData)
        bench.cache(at: .cleanup)
        await load(answer)
        await bench.finishCacheWork(of: cache)
        #expect(bench.journal.entries("write").isEmpty)
    }

    @Test func `An error keeps what is in the cache`() async {
        let cache = bench.cache(at: .model)
        cache["/x"] = bench.entity("cached")
        await load(.response(500))
        #expect(cache["/x"]?.text == "cached")
        #expect(bench.journal.entries("remove").isEmpty)
    }

    @Test func `A stage that fails, and those after it, have nothing to write`() async {
        let caches = [PipelineStageKey.parsing, .model, .cleanup].map { bench.cache(at: $0) }
        bench.service.configureTransformer("/x") { (_: Entity<String>) -> String? in throw Refusal() }
        await load(.text("x"))
        await bench.finishCacheWork(of: caches[2])
        #expect(bench.journal.entries("write") == ["write parsing"])
    }

    @Test(arguments: RequestMethod.allCases.filter { $0 != .get })
    func `Answers to other methods than GET are not written`(method: RequestMethod) async {
        let cache = bench.cache(at: .model)
        bench.network.answer(method, "/x", with: .text("answer"))
        await bench.resource.request(method).completion()
        await bench.finishCacheWork(of: cache)
        #expect(bench.journal.entries("write").isEmpty)
    }

    @Test(arguments: [RequestMethod.post, .put, .patch])
    func `A resource that takes the answer to another method for its state does not write it`(
        method: RequestMethod
    ) async {
        let cache = bench.cache(at: .model)
        bench.network.answer(method, "/x", with: .text("answer"))
        await bench.resource.load(using: bench.resource.request(method)).completion()
        #expect(bench.resource.text == "answer")
        await bench.finishCacheWork(of: cache)
        #expect(bench.journal.entries("write").isEmpty)
    }

    @Test func `The answer to a load with another resource's request is not written as this resource's`() async {
        let cache = bench.cache(at: .model)
        bench.network.answer(.get, "/y", with: .text("of y"))
        await bench.resource.load(using: bench.service.resource("/y").request(.get)).completion()
        #expect(bench.resource.text == "of y")
        await bench.journal.wait(for: "write model")
        #expect(cache["/y"]?.text == "of y")
        await bench.finishCacheWork(of: cache)
        #expect(bench.journal.entries("write").count == 1)
    }

    @Test func `A cancelled load writes nothing, though its answer arrives`() async {
        let cache = bench.cache(at: .model)
        let passed = CacheJournal()
        let gate = DispatchSemaphore(value: 0)
        bench.service.configureTransformer("/x") { (entity: Entity<String>) in
            passed.note("arrived")
            gate.wait()
            passed.note("left")
            return entity.content
        }
        bench.network.answer(.get, "/x", with: .text("late"))
        let request = bench.resource.load()
        await passed.wait(for: "arrived")
        request.cancel()
        gate.signal()
        await passed.wait(for: "left")
        // The response to a second load takes the same way, and arrives later.
        gate.signal()
        bench.network.answer(.get, "/x", with: .text("in time"))
        await bench.resource.load().completion()
        await bench.journal.wait(for: "write model")
        await mainQueueTurn()
        await bench.finishCacheWork(of: cache)
        #expect(bench.journal.entries("write") == ["write model"])
        #expect(bench.journal.entries("remove").count == 1)
    }

    // MARK: 304

    @Test func `304 updates the timestamps of the entries of all stages`() async {
        let caches = [PipelineStageKey.rawData, .model].map { bench.cache(at: $0) }
        await load(.text("x", headers: ["ETag": "tag"]))
        await bench.journal.wait(for: "write model")
        bench.clock.advance(by: 100)
        await load(.notModified)
        await bench.journal.wait(for: "update model")
        await bench.journal.wait(for: "update rawData")
        for cache in caches { #expect(cache["/x"]?.timestamp == bench.clock.wallTime) }
        #expect(bench.journal.entries("write").count == 2)
        #expect(bench.resource.latestData?.timestamp == bench.clock.wallTime)
    }

    @Test func `304 to a request with a condition of its own that becomes a load updates the timestamps, too`() async {
        let cache = bench.cache(at: .model)
        await load(.text("x", headers: ["ETag": "tag"]))
        await bench.journal.wait(for: "write model")
        bench.clock.advance(by: 100)
        bench.network.answer(.get, "/x", with: .notModified)
        let request = bench.resource.request(.get) { $0.setValue("tag", forHTTPHeaderField: "If-None-Match") }
        await bench.resource.load(using: request).completion()
        #expect(bench.resource.timestamp == bench.clock.wallTime)
        await bench.finishCacheWork(of: cache)
        #expect(bench.journal.entries("update") == ["update model"])
    }

    @Test func `304 to a load that confirms cached data updates the timestamp of its entry`() async {
        let cache = bench.cache(at: .model)
        cache["/x"] = bench.entity("cached", age: 1000, headers: ["ETag": "tag"])
        bench.network.answer(.get, "/x", with: .notModified)
        await bench.resource.loadIfNeeded()?.completion()
        await bench.journal.wait(for: "update model")
        #expect(bench.network.requests.last?.value(forHTTPHeaderField: "If-None-Match") == "tag")
        #expect(cache["/x"]?.timestamp == bench.clock.wallTime)
        #expect(cache["/x"]?.text == "cached")
        #expect(bench.resource.text == "cached")
    }

    // MARK: Removing

    @Test func `A local override removes the entries of all stages`() async {
        let caches = [PipelineStageKey.rawData, .model].map { bench.cache(at: $0) }
        await load(.text("x"))
        await bench.journal.wait(for: "write model")
        bench.resource.overrideLocalContent(with: "local")
        await bench.journal.wait(for: "remove rawData")
        await bench.journal.wait(for: "remove model")
        for cache in caches { #expect(cache["/x"] == nil) }
        bench.resource.overrideLocalData(with: bench.entity("local again"))
        await bench.journal.wait(for: "remove model", count: 2)
        #expect(bench.journal.entries("write").count == 2)
    }

    @Test func `A wipe keeps the entries, and brings back what they hold`() async {
        let cache = bench.cache(at: .model)
        await load(.text("x"))
        await bench.journal.wait(for: "write model")
        bench.resource.addObserver(bench.recorder)
        bench.resource.wipe()
        #expect(bench.resource.latestData == nil)
        await bench.recorder.heard(.newData(.cache))
        #expect(bench.resource.text == "x")
        #expect(cache["/x"] != nil)
        #expect(bench.recorder.events == [.observerAdded, .newData(.wipe), .newData(.cache)])
    }

    @Test func `A wipe that includes the caches removes the entries, so that nothing comes back`() async {
        let cache = bench.cache(at: .model)
        await load(.text("x"))
        await bench.journal.wait(for: "write model")
        bench.resource.addObserver(bench.recorder)
        let reads = bench.journal.entries("read").count
        bench.resource.wipe(includingCaches: true)
        await bench.journal.wait(for: "remove model")
        #expect(cache["/x"] == nil)
        await bench.journal.wait(for: "read model", count: reads + 1)
        await bench.finishCacheWork(of: cache)
        #expect(bench.recorder.events == [.observerAdded, .newData(.wipe), .newData(.localOverride)])
    }

    @Test func `A wipe also removes what a dropped resource of the same URL is still writing`() async {
        let cache = bench.cache(at: .model)
        let finish = cache.hold("write")
        await load(.text("x"))
        await bench.journal.wait(for: "held write model")
        bench.service.flushUnusedResources()
        bench.resource.wipe(includingCaches: true)
        finish()
        await bench.journal.wait(for: "write model")
        await bench.journal.wait(for: "remove model")
        #expect(cache["/x"] == nil)
    }

    @Test func `Wiping the resources of a service with their caches removes the entries of those that match`() async {
        let cache = bench.cache(at: .model)
        for path in ["/x", "/y"] {
            bench.network.answer(.get, path, with: .text("x"))
            await bench.service.resource(path).load().completion()
        }
        await bench.journal.wait(for: "write model", count: 2)
        bench.service.wipeResources(includingCaches: true) { $0.url.path == "/x" }
        await bench.journal.wait(for: "remove model")
        #expect(cache["/x"] == nil)
        #expect(cache["/y"] != nil)
        #expect(bench.service.resource("/y").text == "x")
    }
}
