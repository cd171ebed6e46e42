import Dispatch
import Isolation
import TestKit
import Testing

@Suite(.timeLimit(.test))
struct ShortWorkTests {
    private let short = ShortWork()

    /// Runs work as soon as the queue is free, and waits until it has run.
    private func wait(for work: @escaping @Sendable () -> Void = {}) async {
        await withCheckedContinuation { continuation in
            while !short.run({
                work()
                continuation.resume()
            }) {}
        }
    }

    @Test func `a busy queue takes no other work`() async {
        let (begin, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let isTaken = short.run {
            begin.signal()
            end.wait()
        }
        #expect(isTaken)
        begin.wait()
        let isTakenToo = short.run { Issue.record("The queue had other work.") }
        #expect(!isTakenToo)
        end.signal()
        await wait()
    }

    @Test func `many threads hand over work, and each piece runs once`() async {
        let (taken, done) = (Locked(0), Locked(0))
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<1000 where short.run({ done.withLock { $0 += 1 } }) { taken.withLock { $0 += 1 } }
                }
            }
        }
        await wait()
        #expect(taken.withLock { $0 } == done.withLock { $0 })
        #expect(done.withLock { $0 } > 0)
    }

    @Test func `the work is released before the queue is free`() async {
        let isReleased = Locked(false)
        await withCheckedContinuation { continuation in
            let mark = Mark { isReleased.withLock { $0 = true } }
            while !short.run({ withExtendedLifetime(mark) { continuation.resume() } }) {}
        }
        await wait { #expect(isReleased.withLock { $0 }) }
    }
}

private final class Mark: Sendable {
    private let atEnd: @Sendable () -> Void

    init(_ atEnd: @escaping @Sendable () -> Void) { self.atEnd = atEnd }

    deinit { atEnd() }
}
