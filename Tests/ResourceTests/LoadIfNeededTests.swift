import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

/// The conditions under which `loadIfNeeded()` loads, and under which a resource is up to date.
@MainActor @Suite(.timeLimit(.test))
struct LoadIfNeededTests {
    private let stub = StubbedResource()
    private var resource: Resource { stub.resource }

    @Test func `Without data it loads, and returns the load`() async {
        stub.network.answer(.get, "/thing", with: .text("hello"))
        let load = resource.loadIfNeeded()
        #expect(load === resource.loadRequests.first)
        await load?.completion()
        #expect(resource.text == "hello")
    }

    @Test func `A load in progress is returned, and no other starts`() {
        stub.network.answer(.get, "/thing", with: .held)
        let load = resource.load()
        #expect(resource.loadIfNeeded() === load)
        #expect(resource.loadIfNeeded() === load)
        #expect(stub.network.requests.count == 1)
        load.cancel()
    }

    @Test func `A load in progress is returned even if the resource is up to date`() async {
        await stub.load(.text("hello"))
        stub.network.answer(.get, "/thing", with: .held)
        let load = resource.load()
        #expect(resource.loadIfNeeded() === load)
        load.cancel()
    }

    @Test(arguments: [RequestMethod.get, .post])
    func `A request that is not a load does not keep it from loading`(_ method: RequestMethod) {
        stub.network.handler = { _ in .held }
        _ = resource.request(method)
        #expect(resource.loadIfNeeded() != nil)
        #expect(stub.network.requests.count == 2)
        resource.wipe()
    }

    @Test func `A request given to load(using:) is a load in progress`() {
        stub.network.handler = { _ in .held }
        let request = stub.resource.request(.post)
        resource.load(using: request)
        #expect(resource.loadIfNeeded() === request)
        resource.wipe()
    }

    @Test func `Data is up to date for expirationTime, 30 seconds by default`() async {
        await stub.load(.text("hello"))
        for (age, isUpToDate) in [(0.0, true), (29, true), (30, true), (30.1, false), (1000, false)] {
            stub.clock.advance(by: age - (stub.clock.wallTime - resource.timestamp))
            #expect(resource.isUpToDate == isUpToDate, "after \(age) s")
            if isUpToDate { #expect(resource.loadIfNeeded() == nil) }
        }
        #expect(stub.network.requests.count == 1)
        #expect(resource.loadIfNeeded() != nil)
        #expect(stub.network.requests.count == 2)
    }

    @Test func `An error is not retried for retryTime, 1 second by default, and then is`() async {
        await stub.load(.response(500))
        #expect(resource.isUpToDate)
        #expect(resource.loadIfNeeded() == nil)
        stub.clock.advance(by: 1)
        #expect(resource.loadIfNeeded() == nil)
        stub.clock.advance(by: 0.1)
        #expect(!resource.isUpToDate)
        await resource.loadIfNeeded()?.completion()
        #expect(stub.network.requests.count == 2)
    }

    @Test func `After a failure retryTime counts, however fresh the data was`() async {
        await stub.load(.text("hello"))
        await stub.load(.response(500))
        stub.clock.advance(by: 1.1)
        #expect(!resource.isUpToDate)
        await stub.load(.text("hello"))
        stub.clock.advance(by: 1.1)
        #expect(resource.isUpToDate)
    }

    @Test func `Both times are configurable, and a change of configuration applies at once`() async {
        var expirationTime = 100.0
        stub.service.configure("/thing") {
            $0.expirationTime = expirationTime
            $0.retryTime = 10
        }
        await stub.load(.text("hello"))
        stub.clock.advance(by: 99)
        #expect(resource.isUpToDate)
        expirationTime = 50
        #expect(resource.isUpToDate)
        stub.service.invalidateConfiguration()
        #expect(!resource.isUpToDate)
        await stub.load(.response(500))
        stub.clock.advance(by: 9)
        #expect(resource.isUpToDate)
        stub.clock.advance(by: 2)
        #expect(!resource.isUpToDate)
    }

    @Test func `Only the configuration for GET counts`() async {
        stub.service.configure("/thing", requestMethods: [.post]) { $0.expirationTime = 1 }
        await stub.load(.text("hello"))
        stub.clock.advance(by: 29)
        #expect(resource.isUpToDate)
    }

    @Test(arguments: [(TimeInterval.infinity, true), (-1, false)])
    func `Infinite expiration never ends, negative never begins`(_ expirationTime: TimeInterval, _ isUpToDate: Bool)
        async
    {
        stub.service.configure { $0.expirationTime = expirationTime }
        await stub.load(.text("hello"))
        #expect(resource.isUpToDate == isUpToDate)
        stub.clock.advance(by: 1e9)
        #expect(resource.isUpToDate == isUpToDate)
    }

    @Test func `A cancelled load leaves an empty resource in need of one`() {
        stub.network.answer(.get, "/thing", with: .held)
        resource.load().cancel()
        #expect(!resource.isUpToDate)
        #expect(resource.loadIfNeeded() != nil)
        resource.wipe()
    }

    @Test func `Invalidated, the resource loads, however fresh it is, until data or error has changed`() async {
        await stub.load(.text("hello"))
        resource.invalidate()
        #expect(!resource.isUpToDate)
        #expect(resource.text == "hello")
        stub.network.answer(.get, "/thing", with: .text("again"))
        await resource.loadIfNeeded()?.completion()
        #expect(resource.isUpToDate)
        #expect(resource.text == "again")
    }

    @Test func `invalidate() lets retryTime no longer count`() async {
        await stub.load(.response(500))
        resource.invalidate()
        #expect(!resource.isUpToDate)
        await stub.load(.response(500))
        #expect(resource.isUpToDate)
    }

    @Test func `invalidate() tells no observer`() async {
        let recorder = ObserverRecorder()
        await stub.load(.text("hello"))
        resource.addObserver(recorder)
        resource.invalidate()
        #expect(recorder.events == [.observerAdded])
    }

    @Test func `A cancelled load does not end the invalidation; a 304, a failure and an override do`() async {
        await stub.load(.text("hello", headers: ["ETag": "tag"]))
        resource.invalidate()
        stub.network.answer(.get, "/thing", with: .held)
        resource.load().cancel()
        #expect(!resource.isUpToDate)
        await stub.load(.notModified)
        #expect(resource.isUpToDate)
        resource.invalidate()
        await stub.load(.response(500))
        #expect(resource.isUpToDate)
        resource.invalidate()
        resource.overrideLocalContent(with: "mine")
        #expect(resource.isUpToDate)
    }

    @Test func `A request that is not a load does not make the resource up to date`() async {
        stub.network.answer(.get, "/thing", with: .text("hello"))
        await resource.request(.get).completion()
        #expect(!resource.isUpToDate)
        #expect(resource.latestData == nil)
    }

    @Test(arguments: [-1e9, -3600, 3600, 1e9])
    func `Setting the wall clock neither freezes nor outdates data and errors`(_ change: TimeInterval) async {
        await stub.load(.text("hello"))
        stub.clock.setWallTime(stub.clock.wallTime + change)
        #expect(resource.isUpToDate)
        stub.clock.advance(by: 29)
        #expect(resource.isUpToDate)
        stub.clock.advance(by: 2)
        #expect(!resource.isUpToDate)
        await stub.load(.response(500))
        stub.clock.setWallTime(stub.clock.wallTime - change)
        #expect(resource.isUpToDate)
        stub.clock.advance(by: 1.1)
        #expect(!resource.isUpToDate)
    }

    @Test func `An entity is as old as its timestamp says, and one from the future is no younger than now`() {
        let now = stub.clock.wallTime
        for (age, isUpToDate) in [(0.0, true), (29, true), (31, false), (-1e6, true)] {
            resource.overrideLocalData(with: Entity(content: "", headers: [:], timestamp: now - age))
            #expect(resource.isUpToDate == isUpToDate, "age \(age)")
        }
        stub.clock.advance(by: 31)
        #expect(!resource.isUpToDate)
    }
}
