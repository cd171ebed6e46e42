import SiestaCore
import TestKit
import Testing

@testable import SiestaCaches

/// The decision when a store gets the waiting reads.
@Suite(.timeLimit(.test))
struct ReadQueueTests {
    private func read(_ address: String, mayTakeLong: Bool = false) -> ReadQueue.Read {
        let key = CacheKey(principal: "", address: address, coding: .data)
        return ReadQueue.Read(
            key: key, place: key, confirmations: .none, clock: .current, mayTakeLong: mayTakeLong, completion: { _ in })
    }

    /// A queue that an expectation can change. The macros of the tests do not call mutating functions.
    private final class Queue {
        private var queue = ReadQueue()

        init(_ reads: [ReadQueue.Read]) { reads.forEach(add) }

        func add(_ read: ReadQueue.Read) { queue.add(read) }
        func hold() { queue.hold() }
        func release() { queue.release() }
        func start() -> Bool { queue.start() }
        func next() -> ReadQueue.Batch? { queue.next() }
    }

    private func queue(_ addresses: String...) -> Queue { Queue(addresses.map { read($0) }) }

    private func addresses(_ batch: ReadQueue.Batch?) -> [String]? { batch?.reads.map(\.key.address) }

    @Test func `No reader begins without a read`() {
        let queue = queue()
        #expect(!queue.start())
        #expect(queue.next() == nil)
    }

    @Test func `One reader takes all reads in order, and then ends`() {
        let queue = queue("a", "b", "a")
        #expect(queue.start())
        #expect(addresses(queue.next()) == ["a", "b", "a"])
        #expect(queue.next() == nil)
    }

    @Test func `A read that is added while a reader runs is for that reader`() {
        let queue = queue("a")
        #expect(queue.start())
        #expect(!queue.start())
        #expect(addresses(queue.next()) == ["a"])
        queue.add(read("b"))
        #expect(!queue.start())
        #expect(addresses(queue.next()) == ["b"])
        #expect(queue.next() == nil)
        queue.add(read("c"))
        #expect(queue.start())
    }

    @Test func `Held reads wait until every caller has released them`() {
        let queue = queue("a")
        queue.hold()
        queue.hold()
        #expect(!queue.start())
        queue.release()
        queue.add(read("b"))
        #expect(!queue.start())
        queue.release()
        #expect(queue.start())
        #expect(addresses(queue.next()) == ["a", "b"])
    }

    @Test func `A reader ends at reads that are held, and another begins when they are released`() {
        let queue = queue("a")
        #expect(queue.start())
        queue.hold()
        #expect(queue.next() == nil)
        queue.release()
        #expect(queue.start())
        #expect(addresses(queue.next()) == ["a"])
    }

    @Test func `A batch names each record once, even if several reads want it`() {
        let queue = queue("a", "b", "a")
        #expect(queue.next()?.keys.sorted() == [read("a"), read("b")].map(\.key.storeKey).sorted())
    }

    @Test(arguments: [(0, []), (1, [1]), (32, [32]), (33, [32, 1]), (70, [32, 32, 6])])
    func `Reads that may take long are divided into parts`(count: Int, parts: [Int]) throws {
        let queue = queue("quick", "quick too")
        for number in 0..<count { queue.add(read("\(number)", mayTakeLong: true)) }
        queue.add(read("last"))
        let batch = try #require(queue.next())
        #expect(batch.quickReads.map(\.key.address) == ["quick", "quick too", "last"])
        #expect(batch.longParts.map(\.count) == parts)
        #expect(batch.longParts.joined().map(\.key.address) == (0..<count).map { "\($0)" })
    }
}
