import TestKit
import Testing

@testable import SiestaUI

@Suite(.timeLimit(.test))
struct DecodeQueueTests {
    @Test func `The newest job begins first, and not more than allowed at once`() {
        var queue = DecodeQueue<String, Int>(width: 2)
        for (user, job) in ["a", "b", "c"].enumerated() {
            let isNew = queue.add(user, to: job)
            #expect(isNew)
        }
        let isNew = queue.add(9, to: "a")
        #expect(!isNew)
        #expect([queue.begin(), queue.begin(), queue.begin()] == ["a", "c", nil])
        #expect(queue.end("a") == [0, 9])
        #expect(queue.begin() == "b")
        #expect(queue.begin() == nil)
        #expect(queue.count == 2)
    }

    @Test func `A job without users is dropped, unless it runs`() {
        var queue = DecodeQueue<String, Int>(width: 2)
        for (user, job) in ["a", "b", "c"].enumerated() { _ = queue.add(user, to: job) }
        #expect(queue.begin() == "c")
        let (dropped, kept) = (queue.remove(1, from: "b"), queue.remove(2, from: "c"))
        #expect(dropped)
        #expect(!kept)
        #expect(queue.begin() == "a")
        #expect(queue.begin() == nil)
        #expect(queue.end("c").isEmpty)
        #expect(queue.begin() == nil)
        #expect(queue.count == 1)
    }

    @Test func `Rows that come and go for ever do not fill the queue`() {
        var queue = DecodeQueue<Int, Int>(width: 1)
        _ = queue.add(0, to: 0)
        _ = queue.begin()
        for number in 1..<100_000 {
            _ = queue.add(number, to: number)
            if number > 5 { _ = queue.remove(number - 5, from: number - 5) }
        }
        #expect(queue.waitingCount < 40)
        _ = queue.end(0)
        #expect(queue.begin() == 99_999)
    }

    @Test func `A row that comes and goes for ever, while another shows the same image, does not fill the queue`() {
        var queue = DecodeQueue<String, Int>(width: 1)
        _ = queue.add(0, to: "runs")
        _ = queue.begin()
        _ = queue.add(1, to: "waits")
        for number in 2..<100_000 {
            _ = queue.add(number, to: "waits")
            _ = queue.remove(number, from: "waits")
        }
        #expect(queue.waitingCount < 40)
        _ = queue.end("runs")
        #expect(queue.begin() == "waits")
    }
}
