import TestKit
import Testing

@testable import Isolation

/// Tasks that wait until other code has changed a state.
@Suite(.timeLimit(.test))
struct LockedWaitingTests {
    private struct State {
        var isOpen = false
        var waiters = Waiters()
    }

    private let state = Locked(State())
    /// An element for each check of a condition.
    private let checks: AsyncStream<Void>
    private let checked: AsyncStream<Void>.Continuation

    init() {
        (checks, checked) = AsyncStream.makeStream(of: Void.self)
    }

    private func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            return state.waiters.take()
        }
        waiters.resume()
    }

    private func wait() async {
        await state.wait(in: \.waiters) { [checked] state in
            checked.yield()
            return state.isOpen
        }
    }

    /// Returns when tasks have checked the condition so many times. The tasks that were not ready are waiting then.
    private func checked(times: Int = 1) async {
        var count = 0
        for await _ in checks {
            count += 1
            guard count < times else { return state.withLock { _ in } }
        }
    }

    private var isWaiting: Bool { !state.withLock { $0.waiters.tasks.isEmpty } }

    @Test func `A condition that is met suspends no task`() async {
        open()
        await wait()
        checked.finish()
        #expect(await checks.reduce(0) { count, _ in count + 1 } == 1)
        #expect(!isWaiting)
    }

    @Test func `A task waits until the condition is met`() async {
        let task = Task { await wait() }
        await checked()
        #expect(isWaiting)
        open()
        await task.value
        #expect(!isWaiting)
    }

    @Test func `A task that is resumed too early waits again`() async {
        let task = Task { await wait() }
        await checked()
        state.withLock { $0.waiters.take() }.resume()
        await checked()
        #expect(isWaiting)
        open()
        await task.value
    }

    @Test func `All tasks at one place are resumed together`() async {
        let tasks = (0..<3).map { _ in Task { await wait() } }
        await checked(times: 3)
        open()
        for task in tasks { await task.value }
    }

    // MARK: Cancellation

    @Test func `A task that is cancelled before it waits waits all the same`() async {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await wait()
            return Task.isCancelled
        }
        await checked()
        #expect(isWaiting)
        open()
        #expect(await task.value)
    }

    @Test func `A task that is cancelled while it waits waits on`() async {
        let task = Task { await wait() }
        await checked()
        task.cancel()
        #expect(isWaiting)
        open()
        await task.value
    }

    enum Moment: CaseIterable {
        case before, during, after
    }

    @Test(arguments: Moment.allCases)
    func `A cancellation handler that changes the state ends the wait`(_ moment: Moment) async {
        let task = Task {
            if moment == .before { withUnsafeCurrentTask { $0?.cancel() } }
            await withTaskCancellationHandler {
                await wait()
            } onCancel: {
                open()
            }
        }
        await checked()
        if moment == .after { open() }
        task.cancel()
        await task.value
        #expect(!isWaiting)
    }

    // MARK: Hand-offs

    @Test func `Two tasks hand over values one by one`() async {
        struct Place {
            var number: Int?
            var producer = Waiters()
            var consumer = Waiters()
        }
        let place = Locked(Place())
        async let producing: Void = {
            for number in 0..<1_000 {
                await place.wait(in: \.producer) { $0.number == nil }
                place.withLock { place in
                    place.number = number
                    return place.consumer.take()
                }.resume()
            }
        }()
        var received: [Int] = []
        while received.count < 1_000 {
            await place.wait(in: \.consumer) { $0.number != nil }
            let (number, producer) = place.withLock { ($0.number.take(), $0.producer.take()) }
            producer.resume()
            if let number { received.append(number) }
        }
        await producing
        #expect(received == Array(0..<1_000))
    }
}
