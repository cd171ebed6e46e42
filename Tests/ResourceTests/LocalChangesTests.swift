import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

/// Changes of a resource's state that need no network: overrides and wipes.
@MainActor @Suite(.timeLimit(.test))
struct LocalChangesTests {
    private let stub = StubbedResource()
    private let recorder = ObserverRecorder()
    private var resource: Resource { stub.resource }

    // MARK: Overriding

    @Test
    func `overrideLocalData puts the entity in place as it is, clears the error, and tells the observers`() async {
        await stub.load(.response(500))
        resource.addObserver(recorder)
        let timestamp = stub.clock.wallTime - 10
        resource.overrideLocalData(
            with: Entity(content: "mine", charset: "utf-8", headers: ["X-A": "1", "ETag": "tag"], timestamp: timestamp))
        #expect(resource.text == "mine")
        #expect(resource.latestData?.header(forKey: "x-a") == "1")
        #expect(resource.latestData?.etag == "tag")
        #expect(resource.timestamp == timestamp)
        #expect(resource.latestError == nil)
        #expect(resource.isUpToDate)
        #expect(recorder.events == [.observerAdded, .newData(.localOverride)])
        #expect(recorder.records.last?.data?.content as? String == "mine")
    }

    @Test func `overrideLocalContent keeps the headers, and the data is as young as now`() async {
        await stub.load(.text("hello", headers: ["X-A": "1", "ETag": "tag"]))
        await stub.load(.response(500))
        stub.clock.advance(by: 100)
        resource.addObserver(recorder)
        resource.overrideLocalContent(with: "mine")
        #expect(resource.text == "mine")
        #expect(resource.latestData?.contentType == "text/plain; charset=utf-8")
        #expect(resource.latestData?.charset == "utf-8")
        #expect(resource.latestData?.header(forKey: "X-A") == "1")
        #expect(resource.timestamp == stub.clock.wallTime)
        #expect(resource.latestError == nil)
        #expect(resource.isUpToDate)
        #expect(recorder.events == [.observerAdded, .newData(.localOverride)])
    }

    @Test func `overrideLocalContent on an empty resource makes an entity of type application/binary`() {
        resource.overrideLocalContent(with: [1, 2])
        #expect(resource.latestData?.content as? [Int] == [1, 2])
        #expect(resource.latestData?.contentType == "application/binary")
        #expect(resource.latestData?.timestamp == stub.clock.wallTime)
        #expect(resource.latestData?.charset == nil)
    }

    @Test func `Content may be of any type, whatever was there before`() async {
        await stub.load(.json(#"{"a": 1}"#))
        resource.overrideLocalContent(with: 7)
        #expect(resource.typedContent() == 7)
        #expect(resource.jsonDict.isEmpty)
    }

    @Test func `An override neither sends nor cancels anything`() {
        stub.network.answer(.get, "/thing", with: .held)
        let load = resource.load()
        resource.overrideLocalContent(with: "mine")
        #expect(load.state == .inProgress)
        #expect(resource.isLoading)
        #expect(stub.network.requests.count == 1)
        load.cancel()
        #expect(resource.text == "mine")
    }

    @Test func `An observer may override inside a notification; each observer hears of both, in order`() async {
        let second = ObserverRecorder()
        recorder.onEvent = { [resource] in
            if $0 == .newData(.network) { resource.overrideLocalContent(with: "inside") }
        }
        resource.addObserver(recorder).addObserver(second)
        await stub.load(.text("hello"))
        let expected: [ResourceEvent] = [.observerAdded, .requested, .newData(.network), .newData(.localOverride)]
        #expect(recorder.events == expected)
        #expect(second.events == expected)
        #expect(resource.text == "inside")
    }

    // MARK: Wiping

    @Test func `wipe() forgets data, error and timestamp, and tells the observers`() async {
        await stub.load(.text("hello"))
        await stub.load(.response(500))
        resource.addObserver(recorder)
        resource.wipe()
        #expect(resource.latestData == nil)
        #expect(resource.latestError == nil)
        #expect(resource.timestamp == 0)
        #expect(!resource.isUpToDate)
        #expect(resource.text == "")
        #expect(recorder.events == [.observerAdded, .newData(.wipe)])
        #expect(recorder.records.last?.data == nil)
        #expect(recorder.records.last?.error == nil)
    }

    @Test func `wipe() tells the observers of an empty resource, too`() {
        resource.addObserver(recorder)
        resource.wipe()
        #expect(recorder.events == [.observerAdded, .newData(.wipe)])
    }

    @Test
    func `wipe() cancels loads and other requests alike, and no late response touches the resource`() async throws {
        stub.network.handler = { _ in .held }
        resource.addObserver(recorder)
        let requests = [resource.load(), resource.request(.get), resource.request(.post), resource.load()]
        var cancellations = 0
        for request in requests {
            request.onFailure { if $0.cause is RequestError.Cause.RequestCancelled { cancellations += 1 } }
        }
        resource.wipe()
        #expect(cancellations == 4)
        #expect(!resource.isLoading)
        #expect(!resource.isRequesting)
        for exchange in stub.network.exchanges { exchange.respond(with: .text("late")) }
        await mainQueueTurn()
        #expect(stub.network.exchanges.map(\.isCancelled) == [true, true, true, true])
        #expect(resource.latestData == nil)
        #expect(
            recorder.events == [
                .observerAdded, .requested, .requested, .requestCancelled, .requestCancelled, .newData(.wipe),
            ])
    }

    @Test func `An answer that is on its way when the resource is wiped does not touch it`() async throws {
        stub.network.answer(.get, "/thing", with: .held)
        resource.load()
        try stub.exchange(0).respond(with: .response(204))
        resource.wipe()
        await mainQueueTurn()
        #expect(resource.latestData == nil)
        #expect(resource.latestError == nil)
    }

    @Test func `After a wipe the resource loads as if for the first time`() async {
        await stub.load(.text("hello"))
        resource.wipe()
        stub.network.answer(.get, "/thing", with: .text("again"))
        await resource.loadIfNeeded()?.completion()
        #expect(resource.text == "again")
        #expect(resource.isUpToDate)
    }

    @Test(arguments: [true, false])
    func `A load that starts when another is cancelled by a wipe is not part of the wipe`(_ byHook: Bool) async throws {
        stub.network.handler = { _ in .held }
        let load = resource.load()
        var isFirst = true
        let reload = { [resource] in
            if isFirst { resource.load() }
            isFirst = false
        }
        if byHook {
            load.onFailure { _ in reload() }
        } else {
            recorder.onEvent = { if $0 == .requestCancelled { reload() } }
        }
        resource.addObserver(recorder)
        resource.wipe()
        #expect(resource.isLoading)
        try stub.exchange(1).respond(with: .text("anew"))
        await resource.loadRequests.first?.completion()
        #expect(resource.text == "anew")
        #expect(!resource.isLoading)
        #expect(recorder.events.last == .newData(.network))
    }

    @Test func `An observer may wipe inside a notification, and the load that brought it there stays ended`() async {
        recorder.onEvent = { [resource] in
            if $0 == .newData(.network) { resource.wipe() }
        }
        resource.addObserver(recorder)
        let info = await stub.load(.text("hello"))
        #expect(info.text == "hello")
        #expect(resource.latestData == nil)
        #expect(!resource.isLoading)
        #expect(recorder.events == [.observerAdded, .requested, .newData(.network), .newData(.wipe)])
    }

    @Test func `An observer may wipe as soon as a load is requested: it is never sent`() async {
        recorder.onEvent = { [resource] in
            if $0 == .requested { resource.wipe() }
        }
        resource.addObserver(recorder)
        stub.network.answer(.get, "/thing", with: .held)
        let load = resource.load()
        #expect(load.state == .completed)
        #expect(!resource.isLoading)
        await mainQueueTurn()
        #expect(recorder.events == [.observerAdded, .requested, .requestCancelled, .newData(.wipe)])
    }
}
