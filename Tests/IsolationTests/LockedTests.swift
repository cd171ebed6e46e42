import Foundation
import Isolation
import TestKit
import Testing

@Suite(.timeLimit(.test))
struct LockedTests {
    @Test func `Nothing is lost between threads`() {
        let count = Locked(0)
        DispatchQueue.concurrentPerform(iterations: 10_000) { _ in
            count.withLock { $0 += 1 }
        }
        #expect(count.withLock { $0 } == 10_000)
    }

    @Test func `A body that throws leaves the lock free`() {
        let value = Locked(0)
        #expect(throws: CancellationError.self) {
            try value.withLock { _ in throw CancellationError() }
        }
        #expect(value.withLock { $0 } == 0)
    }
}
