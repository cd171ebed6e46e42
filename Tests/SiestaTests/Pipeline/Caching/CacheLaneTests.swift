import CacheTorture
import Dispatch
import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

/// The order of a resource's cache operations, and the queues on which they run.
@MainActor @Suite(.timeLimit(.test))
struct CacheLaneTests {
    private let bench = CacheBench()

    /// Gives other operations enough time to overtake: waits until a later read for another resource is complete.
    private func letOthersOvertake() async {
        let reads = bench.journal.entries("read").count
        _ = bench.service.resource("/overtaking").latestData
        await bench.journal.wait(for: "read model", count: reads + 1)
        await mainQueueTurn()
    }

    @Test func `A removal never overtakes a write, though the cache's queue is concurrent`() async {
        let cache = bench.cache(at: .model)
        let release = cache.hold("write")
        bench.network.answer(.get, "/x", with: .text("x"))
        await bench.resource.load().completion()
        await bench.journal.wait(for: "held write model")
        bench.resource.overrideLocalContent(with: "local")
        await letOthersOvertake()
        #expect(bench.journal.entries("remove").isEmpty)
        release()
        await bench.journal.wait(for: "remove model")
        #expect(cache["/x"] == nil)
    }

    @Test func `Writes are in the order of the answers, though the cache's queue is concurrent`() async {
        let cache = bench.cache(at: .model)
        let release = cache.hold("write")
        let count = 20
        for number in 1...count {
            bench.network.answer(.get, "/x", with: .text("\(number)"))
            await bench.resource.load().completion()
        }
        for _ in 1...count { release() }
        await bench.journal.wait(for: "write model", count: count)
        #expect(cache["/x"]?.text == "\(count)")
    }

    @Test func `A read that follows a write finds what was written`() async {
        let cache = bench.cache(at: .model)
        let release = cache.hold("write")
        bench.network.answer(.get, "/x", with: .text("x"))
        await bench.resource.load().completion()
        bench.resource.addObserver(bench.recorder)
        bench.resource.wipe()
        await letOthersOvertake()
        release()
        await bench.recorder.heard(.newData(.cache))
        #expect(bench.resource.text == "x")
    }

    @Test func `The update of a timestamp never overtakes a write`() async {
        let cache = bench.cache(at: .model)
        let release = cache.hold("write")
        bench.network.answer(.get, "/x", with: .text("x", headers: ["ETag": "tag"]), .notModified)
        await bench.resource.load().completion()
        bench.clock.advance(by: 50)
        await bench.resource.load().completion()
        await letOthersOvertake()
        #expect(bench.journal.entries("update").isEmpty)
        release()
        await bench.journal.wait(for: "update model")
        #expect(cache["/x"]?.timestamp == bench.clock.wallTime)
    }

    @Test func `A slow write holds up neither other resources nor the main thread`() async {
        let cache = bench.cache(at: .model)
        let release = cache.hold("write")
        for path in ["/x", "/y"] {
            bench.network.answer(.get, path, with: .text(path))
            await bench.service.resource(path).load().completion()
        }
        await bench.journal.wait(for: "held write model", count: 2)
        #expect(bench.service.resource("/y").text == "/y")
        release()
        release()
        await bench.journal.wait(for: "write model", count: 2)
        #expect(cache["/x"]?.text == "/x")
        #expect(cache["/y"]?.text == "/y")
    }

    @Test func `Reads, writes, updates and removals are done on the cache's queue`() async {
        let queue = DispatchQueue(label: "serial")
        let cache = JournalCache("own", bench.journal, workQueue: queue)  // Traps on any other queue.
        bench.service.configure { $0.pipeline[.model].cacheUsing(cache) }
        bench.network.answer(.get, "/x", with: .text("x", headers: ["ETag": "tag"]), .notModified)
        await bench.resource.load().completion()
        await bench.resource.load().completion()
        bench.resource.overrideLocalContent(with: "local")
        await bench.journal.wait(for: "remove own")
        #expect(
            bench.journal.entries.filter { !$0.hasPrefix("key") }
                == ["read own", "write own", "update own", "remove own"])
    }

    @Test func `A cache may work on the main queue`() async {
        let cache = JournalCache("main", bench.journal, workQueue: .main)
        cache["/x"] = bench.entity("cached", age: 1000)
        bench.service.configure { $0.pipeline[.model].cacheUsing(cache) }
        bench.network.answer(.get, "/x", with: .text("loaded"))
        await bench.resource.loadIfNeeded()?.completion()
        await bench.journal.wait(for: "write main")
        #expect(cache["/x"]?.text == "loaded")
    }
}
