import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

/// Unused resources are dropped after a time, or if they are too large together.
@MainActor @Suite(.timeLimit(.test))
struct RetentionTests {
    private let stub = StubbedResource()
    private var service: Service { stub.service }

    /// Returns true if the service still has the data of a resource.
    private func isKept(_ name: String) -> Bool { service.resource(name).latestData != nil }

    // MARK: Time

    @Test func `Without a retention, there is no timer, and no resource is dropped`() {
        service.resource("/a").overrideLocalContent(with: "a")
        _ = service.resource("/a").configuration
        #expect(stub.clock.timers.isEmpty)
        stub.clock.advance(by: 1e6)
        #expect(isKept("/a"))
    }

    @Test func `An unused resource is dropped after its retention`() {
        service.configure("/a") { $0.retention = 60 }
        for name in ["/a", "/b"] { service.resource(name).overrideLocalContent(with: name) }
        stub.clock.advance(by: 59)
        weak let kept = service.resource("/a")
        #expect(kept?.latestData != nil)
        stub.clock.advance(by: 59)
        #expect(kept != nil)
        stub.clock.advance(by: 32)
        #expect(kept == nil)
        #expect(!isKept("/a"))
        #expect(isKept("/b"))
    }

    @Test func `The timer ends with the last resource that has a retention`() {
        service.configure("/a") { $0.retention = 60 }
        service.resource("/a").overrideLocalContent(with: "a")
        #expect(stub.clock.timers.count == 1)
        stub.clock.advance(by: 1000)
        #expect(stub.clock.timers.isEmpty)
        service.resource("/a").overrideLocalContent(with: "a")
        #expect(stub.clock.timers.count == 1)
    }

    @Test func `A resource in use is never dropped, and its time begins anew after the use`() {
        service.configure { $0.retention = 60 }
        var held: Resource? = service.resource("/held")
        held?.overrideLocalContent(with: "held")
        weak var observed: Resource?
        var owner: Owner? = Owner()
        do {
            let resource = service.resource("/observed")
            resource.overrideLocalContent(with: "observed")
            resource.addObserver(owner: owner ?? Owner()) { _, _ in }
            observed = resource
        }
        stub.clock.advance(by: 500)
        weak let released = held
        #expect(observed != nil)
        #expect(released != nil)
        held = nil
        owner = nil
        stub.clock.advance(by: 59)
        #expect(observed != nil)
        #expect(released != nil)
        stub.clock.advance(by: 200)
        #expect(observed == nil)
        #expect(released == nil)
        #expect(held == nil)
        #expect(owner == nil)
    }

    @Test func `Looking a resource up begins its time anew`() {
        service.configure { $0.retention = 60 }
        service.resource("/a").overrideLocalContent(with: "a")
        for _ in 0..<20 {
            stub.clock.advance(by: 40)
            #expect(isKept("/a"))
        }
    }

    @Test func `A shorter retention is not late because a longer one waits`() {
        service.configure("/long") { $0.retention = 3000 }
        service.configure("/short") { $0.retention = 10 }
        service.resource("/long").overrideLocalContent(with: "l")
        service.resource("/short").overrideLocalContent(with: "s")
        weak let short = service.resource("/short")
        stub.clock.advance(by: 17)
        #expect(short == nil)
        #expect(isKept("/long"))
    }

    @Test(arguments: [0, -1, Double.nan])
    func `A retention of zero`(_ retention: Double) {
        service.configure { $0.retention = retention }
        service.resource("/a").overrideLocalContent(with: "a")
        stub.clock.advance(by: 3)
        #expect(!isKept("/a"))
    }

    // MARK: Size

    /// Loads resources whose bodies have the given sizes.
    private func load(_ sizes: KeyValuePairs<String, Int>) async {
        for (name, size) in sizes {
            stub.network.answer(.get, name, with: .text(String(repeating: "x", count: size)))
            await service.resource(name).load().completion()
        }
        await mainQueueTurn()
        await mainQueueTurn()
    }

    @Test func `Over the limit of bytes, the least recently used go`() async {
        service.cachedResourceByteLimit = 100
        await load(["/a": 40, "/b": 40])
        weak let oldest = service.resource("/b")
        _ = service.resource("/a")
        await load(["/c": 40])
        // The limit is checked when a response arrives. The threads of the network may still use the resources of the last
        // responses then, so that the limit applies to them with a later response.
        for _ in 0..<1000 where oldest != nil { await load(["/d": 10]) }
        #expect(isKept("/a"))
        #expect(!isKept("/b"))
        #expect(isKept("/c"))
        #expect(isKept("/d"))
    }

    @Test func `Resources in use stay, and do not count`() async {
        service.cachedResourceByteLimit = 100
        let used = service.resource("/used")
        await load(["/used": 1000, "/a": 50, "/b": 50])
        #expect(used.latestData != nil)
        #expect(isKept("/a"))
        #expect(isKept("/b"))
    }

    @Test func `A new limit applies at once, also to content of unknown origin`() async {
        service.resource("/a").overrideLocalContent(with: String(repeating: "x", count: 60))
        service.resource("/b").overrideLocalContent(with: Data(count: 60))
        service.resource("/c").overrideLocalContent(with: 17)
        #expect(service.cachedResourceByteLimit == nil)
        service.cachedResourceByteLimit = 60
        #expect(!isKept("/a"))
        #expect(isKept("/b"))
        #expect(isKept("/c"))
        service.cachedResourceByteLimit = -1
        #expect(service.cachedResourceByteLimit == 0)
        #expect(!isKept("/b"))
        #expect(isKept("/c"))
        service.cachedResourceByteLimit = nil
        await load(["/d": 1000])
        #expect(isKept("/d"))
    }
}
