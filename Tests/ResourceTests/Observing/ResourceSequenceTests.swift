import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Iteration over the events and states of a resource.
@MainActor @Suite(.timeLimit(.test))
struct ResourceSequenceTests {
    private let stub = StubbedResource()

    // MARK: Events

    @Test func `An iteration gets every event in order, from when it begins`() async {
        let events = ResourceEvents(resource: stub.resource).makeAsyncIterator()
        await stub.load(.text("a"))
        await stub.load(.response(500))
        stub.resource.overrideLocalContent(with: "b")
        stub.resource.wipe()
        var seen: [ResourceEvent] = []
        for _ in 0..<6 { seen.append(await events.next()?.event ?? .observerAdded) }
        #expect(
            seen == [
                .requested, .newData(.network), .requested, .error, .newData(.localOverride), .newData(.wipe),
            ])
    }

    @Test func `A consumer that waits is woken by the next event`() async {
        let first = Task { () -> ResourceEvent? in
            for await change in stub.resource.events { return change.event }
            return nil
        }
        await mainQueueTurn()
        stub.resource.overrideLocalContent(with: "a")
        #expect(await first.value == .newData(.localOverride))
    }

    @Test func `A consumer that falls behind is told how many events it missed`() async {
        let events = ResourceEvents(resource: stub.resource).makeAsyncIterator()
        for number in 0..<(ResourceEvents.limit + 10) { stub.resource.overrideLocalContent(with: number) }
        let first = await events.next()
        #expect(first?.missed == 10)
        for _ in 1..<ResourceEvents.limit { #expect(await events.next()?.missed == 0) }
        stub.resource.wipe()
        let last = await events.next()
        #expect(last?.event == .newData(.wipe))
        #expect(last?.missed == 0)
    }

    @Test func `Several consumers each get all events`() async {
        let iterators = (0..<3).map { _ in ResourceEvents(resource: stub.resource).makeAsyncIterator() }
        stub.resource.overrideLocalContent(with: "a")
        for events in iterators { #expect(await events.next()?.event == .newData(.localOverride)) }
    }

    // MARK: States

    @Test func `The first state comes at once, and then the newest after each change`() async {
        let states = ResourceStates(resource: stub.resource).makeAsyncIterator()
        let first = await states.next()
        #expect(first?.data == nil)
        #expect(first?.isStale == true)
        stub.resource.overrideLocalContent(with: "a")
        stub.resource.overrideLocalContent(with: "b")
        let second = await states.next()
        #expect(second?.data?.content as? String == "b")
        #expect(second?.isStale == false)
        stub.resource.invalidate()
        #expect(await states.next()?.isStale == true)
    }

    @Test func `States tell of loads, their progress, and their failure`() async throws {
        let states = ResourceStates(resource: stub.resource).makeAsyncIterator()
        _ = await states.next()
        stub.network.answer(.get, "/thing", with: .held)
        stub.resource.load()
        let loading = await states.next()
        #expect(loading?.isLoading == true)
        #expect(loading?.progress == 0)
        try stub.exchange(0).respond(with: .response(500))
        var state = await states.next()
        while state?.isLoading == true { state = await states.next() }
        #expect(state?.error?.httpStatusCode == 500)
        #expect(state?.progress == nil)
    }

    @Test func `A load that ends causes one state, and none for its full progress`() async throws {
        stub.network.answer(.get, "/thing", with: .held)
        stub.resource.load()
        let progress = Task {
            var seen: [Double?] = []
            for await state in stub.resource.states {
                seen.append(state.progress)
                if !state.isLoading { break }
            }
            return seen
        }
        await mainQueueTurn()
        try stub.exchange(0).respond(with: .text("a"))
        #expect(await progress.value == [0, nil])
    }

    // MARK: Beginning and ending

    @Test(arguments: [true, false])
    func `The resource counts as observed while somebody iterates`(_ isAboutEvents: Bool) async {
        stub.network.answer(.get, "/thing", with: .held)
        let load = stub.resource.load()
        let task = Task {
            if isAboutEvents { for await _ in stub.resource.events {} } else { for await _ in stub.resource.states {} }
        }
        await mainQueueTurn()
        stub.resource.cancelLoadIfUnobserved()
        #expect(!load.isCompleted)
        task.cancel()
        await task.value
        stub.resource.cancelLoadIfUnobserved()
        #expect(load.isCompleted)
    }

    @Test func `Leaving the loop ends the observation`() async {
        stub.network.answer(.get, "/thing", with: .held)
        let load = stub.resource.load()
        for await _ in stub.resource.states { break }
        stub.resource.cancelLoadIfUnobserved()
        #expect(load.isCompleted)
    }

    @Test func `Dropping the iterator ends the observation, and the sequence alone does not observe`() async {
        stub.network.answer(.get, "/thing", with: .held)
        let load = stub.resource.load()
        let events = ResourceEvents(resource: stub.resource)
        var iterator: ResourceEvents.AsyncIterator? = events.makeAsyncIterator()
        stub.resource.cancelLoadIfUnobserved()
        #expect(!load.isCompleted)
        withExtendedLifetime(iterator) {}
        iterator = nil
        stub.resource.cancelLoadIfUnobserved()
        #expect(load.isCompleted)
        withExtendedLifetime(events) {}
    }

    @Test func `An ended iteration stays ended`() async {
        let events = ResourceEvents(resource: stub.resource)
        let task = Task {
            let iterator = events.makeAsyncIterator()
            withUnsafeCurrentTask { $0?.cancel() }
            let first = await iterator.next()
            let second = await iterator.next()
            return first == nil && second == nil
        }
        #expect(await task.value)
    }

    @Test func `Iterating off the main actor works the same`() async {
        let (events, states) = (stub.resource.events, stub.resource.states)
        let event = Task.detached { () -> ResourceEvent? in
            for await change in events { return change.event }
            return nil
        }
        let state = Task.detached { () -> Bool in
            for await state in states where state.data != nil { return true }
            return false
        }
        let isDone = Task { (await event.value == .newData(.localOverride), await state.value) }
        var result: (Bool, Bool)?
        Task { result = await isDone.value }
        while result == nil {
            stub.resource.overrideLocalContent(with: "b")
            await mainQueueTurn()
        }
        #expect(result?.0 == true)
        #expect(result?.1 == true)
    }

    @Test func `A loop that waits receives no data that is wiped before its task continues`() async {
        let states = ResourceStates(resource: stub.resource).makeAsyncIterator()
        _ = await states.next()
        let waiting = Task.immediate { await states.next(isolation: #isolation) }
        stub.resource.overrideLocalContent(with: "of the last user")
        stub.service.wipeResources(includingCaches: true)
        let state = await waiting.value
        #expect(state != nil)
        #expect(state?.data == nil)
    }

    @Test func `A loop that waits receives no error that is wiped before its task continues`() async throws {
        var seen: [Resource.Snapshot] = []
        let loop = Task.immediate { for await state in stub.resource.states { seen.append(state) } }
        let owner = NSObject()
        stub.resource.addObserver(owner: owner) { [service = stub.service] _, event in
            if event == .error { service.wipeResources(includingCaches: true) }
        }
        stub.network.answer(.get, "/thing", with: .held)
        let load = stub.resource.load()
        let sent = try await stub.network.exchange(1)
        for _ in 0..<5 { await mainQueueTurn() }
        sent.respond(with: .response(403))
        await load.completion()
        for _ in 0..<5 { await mainQueueTurn() }
        #expect(seen.count > 1)
        #expect(seen.allSatisfy { $0.error == nil })
        loop.cancel()
        extendLifetime(owner)
    }
}
