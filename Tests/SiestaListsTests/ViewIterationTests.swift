import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

@testable import SiestaLists

/// The iterations over the values of selections and switchers.
@MainActor @Suite(.timeLimit(.test))
struct ViewIterationTests {
    /// What a loop has received.
    @MainActor private final class Loop {
        var count = 0
        var isEnded = false
    }

    private let stub = StubbedResource()
    private let switcher = ResourceSwitcher<String>()

    private func turns() async {
        for _ in 0..<20 { await mainQueueTurn() }
    }

    @Test func `A loop that waits for a change ends when its task is cancelled`() async {
        let (loop, switcher) = (Loop(), switcher)
        let task = Task {
            for await _ in switcher.states { loop.count += 1 }
            loop.isEnded = true
        }
        await turns()
        #expect(loop.count == 1)
        #expect(!loop.isEnded)
        task.cancel()
        await turns()
        #expect(loop.count == 1)
        #expect(loop.isEnded)
    }

    @Test func `A task that is already cancelled receives no value`() async {
        let (loop, switcher) = (Loop(), switcher)
        let task = Task {
            for await _ in switcher.states { loop.count += 1 }
        }
        task.cancel()
        await task.value
        #expect(loop.count == 0)
    }

    @Test func `A loop receives no state of a switcher twice`() async throws {
        var states = switcher.states.makeAsyncIterator()
        #expect(try await states.next()?.content == nil)
        let waiting = Task.immediate { await states.next(isolation: #isolation)?.content }
        let resource = stub.service.resource("/a", as: String.self)
        resource.content = "A"
        switcher.resource = resource
        #expect(await waiting.value == "A")
    }

    @Test func `Of two tasks that wait in one iteration, the first ends`() async {
        let (observed, loop) = (ObservedValue(1), Loop())
        let iteration = ObservedIteration(observed, keeping: observed)
        #expect(await iteration.next().value == 1)
        Task.immediate { loop.isEnded = await iteration.next().value == nil }
        let second = Task.immediate { await iteration.next().value }
        observed.set { 2 }
        observed.deliver()
        #expect(await second.value == 2)
        await turns()
        #expect(loop.isEnded)
    }

    @Test func `A loop that waits receives no content that is wiped before its task continues`() async throws {
        let resource = stub.service.resource("/a", as: String.self)
        switcher.resource = resource
        var states = switcher.states.makeAsyncIterator()
        #expect(try await states.next()?.content == nil)
        let waiting = Task.immediate { await states.next(isolation: #isolation) }
        resource.content = "of the last user"
        resource.wipe()
        let state = await waiting.value
        #expect(state != nil)
        #expect(state?.content == nil)
    }
}
