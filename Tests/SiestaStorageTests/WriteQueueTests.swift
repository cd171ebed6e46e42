import Foundation
import Isolation
import SiestaCore
import TestKit
import Testing

@testable import SiestaCaches

/// The order of changes and tasks, what reads know of them, and the retries of failed removals.
@Suite(.timeLimit(.test))
struct WriteQueueTests {
    private struct Failure: Error, Equatable {
        var number = 1
    }

    /// A queue that an expectation can change. The macros of the tests do not call mutating functions.
    private final class Queue {
        private var queue = WriteQueue()

        func write(_ content: String, to address: String = "a") {
            change { $0.write(Entity(content: content, headers: [:], timestamp: 1), forKey: key(address)) }
        }

        func remove(_ address: String = "a") { change { $0.remove(key(address)) } }
        func change(_ make: (inout PendingOperations) -> PendingOperations.Dropped) { _ = queue.change(make) }
        func add(_ task: @escaping WriteQueue.Task) { queue.add(task) }

        func start() -> Bool { queue.start() }
        func next() -> WriteQueue.Turn? { queue.next()?.turn }
        func finish() { _ = queue.finish(failure: nil, outdated: []) }

        /// Lets the writer make all changes. Returns their number.
        @discardableResult
        func turn(failure: (any Error)? = nil, outdated: Set<RecordKey> = []) throws -> Int {
            let turn = try #require(next())
            _ = queue.finish(failure: failure, outdated: outdated)
            return turn.changes.entries.count
        }

        var lastFailure: (any Error)? { queue.lastFailure }
        func takeFailure() -> (any Error)? { queue.takeFailure() }
        func planRetry() -> TimeInterval? { queue.planRetry() }
        func beginRetry() -> Bool { queue.beginRetry() }

        /// The content that reads of the record find, "nothing", or "unknown" if the store has to be asked.
        func told(_ address: String = "a") -> String {
            switch queue.answer(forKey: key(address)) {
            case .entity(let entity, _): "\(entity.content)"
            case .nothing: "nothing"
            case .unknown: "unknown"
            }
        }
    }

    // MARK: One writer

    @Test func `A writer begins once, and ends when nothing is left`() throws {
        let queue = Queue()
        queue.write("x")
        #expect(queue.start())
        #expect(!queue.start())
        #expect(try queue.turn() == 1)
        queue.write("y")
        #expect(!queue.start())
        #expect(try queue.turn() == 1)
        #expect(queue.next() == nil)
        #expect(queue.start())
    }

    @Test func `A turn has all changes and tasks that were added before, and the next has those added later`()
        async throws
    {
        let run = Locked<[String]>([])
        let queue = Queue()
        queue.write("x")
        queue.write("y")
        queue.write("z", to: "b")
        for name in ["first", "second"] { queue.add { run.withLock { $0.append(name) } } }
        let turn = try #require(queue.next())
        queue.add { run.withLock { $0.append("third") } }
        queue.write("later")
        #expect(turn.changes.entries.map(\.key.address) == ["a", "b"])
        for task in turn.tasks { await task() }
        #expect(run.withLock { $0 } == ["first", "second"])
        let next = try #require(queue.next())
        #expect(next.changes.entries.map(\.key.address) == ["a"])
        #expect(next.tasks.count == 1)
    }

    @Test func `A task needs no change`() throws {
        let queue = Queue()
        queue.add {}
        let turn = try #require(queue.next())
        #expect(turn.changes.isEmpty)
        #expect(turn.tasks.count == 1)
        #expect(queue.next() == nil)
    }

    // MARK: Reads

    @Test func `Reads find a change until the store has it`() throws {
        let queue = Queue()
        #expect(queue.told() == "unknown")
        queue.write("x")
        #expect(queue.told() == "x")
        _ = queue.next()
        #expect(queue.told() == "x")
        queue.write("y")
        #expect(queue.told() == "y")
        queue.finish()
        #expect(queue.told() == "y")
        try queue.turn()
        #expect(queue.told() == "unknown")
    }

    @Test func `Reads do not find a record whose removal has failed, until another change removes or writes it`() throws
    {
        for isWritten in [false, true] {
            let queue = Queue()
            queue.remove()
            try queue.turn(failure: Failure())
            #expect(queue.told() == "nothing")
            if isWritten { queue.write("y") } else { queue.remove() }
            #expect(queue.told() == (isWritten ? "y" : "nothing"))
            try queue.turn()
            #expect(queue.told() == "unknown")
        }
    }

    @Test func `A write that has failed is forgotten, but reads do not find an older record that it has left`() throws {
        let queue = Queue()
        queue.write("x")
        queue.write("y", to: "b")
        try queue.turn(failure: Failure(), outdated: [key("b").storeKey])
        #expect(queue.told("a") == "unknown")
        #expect(queue.told("b") == "nothing")
    }

    // MARK: Failures

    @Test func `A flush gets the first failure, once`() throws {
        let queue = Queue()
        for number in 1...2 {
            queue.write("x")
            try queue.turn(failure: Failure(number: number))
        }
        #expect(queue.takeFailure() as? Failure == Failure(number: 1))
        #expect(queue.takeFailure() == nil)
    }

    @Test func `A success changes the last failure, and not that of the flush`() throws {
        let queue = Queue()
        queue.write("x")
        try queue.turn(failure: Failure())
        #expect(queue.lastFailure != nil)
        queue.write("x")
        try queue.turn()
        #expect(queue.lastFailure == nil)
        #expect(queue.takeFailure() != nil)
    }

    // MARK: Retries

    @Test func `Failed removals are tried again with the next task, and not with other changes`() throws {
        let queue = Queue()
        queue.remove()
        try queue.turn(failure: Failure())
        queue.write("x", to: "b")
        #expect(try queue.turn() == 1)
        #expect(queue.told() == "nothing")
        queue.add {}
        #expect(try queue.turn() == 9)  // All places for variants.
        #expect(queue.told() == "unknown")
    }

    @Test func `The failed removal of a partition is tried again before the next change`() throws {
        let queue = Queue()
        queue.change { $0.removePartition(key("a").storeKey.partition) }
        try queue.turn(failure: Failure())
        queue.write("x")
        let changes = try #require(queue.next()).changes
        #expect(changes.removedPartitions == [key("a").storeKey.partition])
        #expect(changes.entries.count == 1)
    }

    @Test func `A retry is planned once, as long as a removal is left`() throws {
        let queue = Queue()
        #expect(queue.planRetry() == nil)
        queue.remove()
        try queue.turn(failure: Failure())
        #expect(queue.planRetry() == 1)
        #expect(queue.planRetry() == nil)
        #expect(queue.beginRetry())
        queue.add {}
        try queue.turn()
        #expect(queue.planRetry() == nil)
        #expect(!queue.beginRetry())
    }

    @Test func `The delay doubles with each failure up to a minute, and a success begins anew`() throws {
        let queue = Queue()
        var delays: [TimeInterval?] = []
        for _ in 0..<8 {
            queue.remove()
            try queue.turn(failure: Failure())
            delays.append(queue.planRetry())
            _ = queue.beginRetry()
        }
        #expect(delays == [1, 2, 4, 8, 16, 32, 60, 60])
        queue.write("x", to: "b")
        try queue.turn()
        #expect(queue.planRetry() == 1)
    }

    // MARK: Batches

    @Test func `A batch begins with the removals of partitions, and is full after 16 MB of records`() {
        var pending = PendingOperations()
        pending.removePartition(1)
        var batch = RecordBatch(removals: pending)
        #expect(batch.changes.count == 1)
        let key = RecordKey(partition: 0, name: 0)
        batch.append(.remove(key))
        batch.append(.write(key, Data(count: 8 << 20)))
        batch.append(.update(key, from: Data(count: 1 << 20), to: Data(count: 8 << 20)))
        batch.append(.update(key, from: Data(count: 1 << 20), to: nil))
        #expect(!batch.isFull)
        batch.append(.write(key, Data([1])))
        #expect(batch.isFull)
        let taken = batch.take()
        #expect(taken.count == 6)
        #expect(batch.changes.isEmpty)
        #expect(!batch.isFull)
    }

    @Test func `The removal of everything is one change`() {
        var pending = PendingOperations()
        pending.removePartition(1)
        pending.removeAll()
        #expect(RecordBatch(removals: pending).changes.count == 1)
        #expect(RecordBatch(removals: PendingOperations()).changes.isEmpty)
    }
}

private func key(_ address: String) -> CacheKey {
    CacheKey(principal: "ada", address: address, coding: .data)
}
