import Foundation
import SiestaCore
import TestDoubles
import TestKit
import Testing

@testable import SiestaRetrying

/// The rules for the requests to one origin.
@Suite(.timeLimit(.test))
struct OriginHealthTests {
    // MARK: The budget

    @Test func `A few retries are always allowed`() {
        var budget = RetryBudget()
        #expect(granted(12, of: &budget, at: 5) == RetryBudget.reserve)
    }

    @Test func `Of many requests, a fifth may be retried`() {
        var budget = RetryBudget()
        for index in 0..<1000 { budget.noteRequest(at: Double(index) / 50) }
        #expect(granted(1000, of: &budget, at: 20) == 200)
    }

    @Test func `Requests and retries count for a minute`() {
        var budget = RetryBudget()
        for _ in 0..<1000 { budget.noteRequest(at: 100) }
        #expect(!budget.isEmpty(at: 154))
        #expect(granted(1, of: &budget, at: 154) == 1)
        #expect(granted(20, of: &budget, at: 161) == RetryBudget.reserve - 1)
        #expect(!budget.isEmpty(at: 200))
        #expect(budget.isEmpty(at: 300))
    }

    @Test func `A clock that goes back or is negative does no harm`() {
        var budget = RetryBudget()
        for time in [-1000, -5, 300, 20, -1e9, 1e9] {
            budget.noteRequest(at: time)
            _ = budget.takeRetry(at: time)
        }
        #expect(granted(1, of: &budget, at: 2e9) == 1)
        budget.noteRequest(at: 3e9)
        budget.noteRequest(at: 2.9e9)
        #expect(!budget.isEmpty(at: 3e9 + 1))
    }

    /// Asks for a number of retries, and returns the number of those that are granted.
    private func granted(_ count: Int, of budget: inout RetryBudget, at time: TimeInterval) -> Int {
        var granted = 0
        for _ in 0..<count where budget.takeRetry(at: time) { granted += 1 }
        return granted
    }

    // MARK: Limits

    @Test func `The number of running requests is limited`() {
        var health = OriginHealth()
        let pacing = Pacing(concurrentRequests: 2)
        #expect(health.admit(at: 0, within: pacing) == .send)
        #expect(health.admit(at: 0, within: pacing) == .send)
        #expect(health.admit(at: 0, within: pacing) == .hold(.concurrency))
        health.end(.failure, at: 0, within: pacing)
        #expect(health.admit(at: 0, within: pacing) == .send)
        #expect(health.admit(at: 0, within: Pacing(concurrentRequests: -5)) == .hold(.concurrency))
    }

    @Test func `A rate permits a burst, and then one request per period`() {
        var health = OriginHealth()
        var pacing = Pacing(requestsPerSecond: 2)
        pacing.burst = 3
        for _ in 0..<3 { #expect(health.admit(at: 10, within: pacing) == .send) }
        #expect(health.admit(at: 10, within: pacing) == .hold(.rate(until: 10.5)))
        #expect(health.admit(at: 10.25, within: pacing) == .hold(.rate(until: 10.5)))
        #expect(health.admit(at: 10.5, within: pacing) == .send)
        #expect(health.admit(at: 10.5, within: pacing) == .hold(.rate(until: 11)))
        for _ in 0..<3 { #expect(health.admit(at: 1000, within: pacing) == .send) }
        #expect(health.admit(at: 1000, within: pacing) != .send)
    }

    @Test(arguments: [0, -1, Double.nan])
    func `A rate that is not positive counts as one request per minute`(_ rate: Double) {
        var health = OriginHealth()
        let pacing = Pacing(requestsPerSecond: rate)
        #expect(health.admit(at: 0, within: pacing) == .send)
        #expect(health.admit(at: 30, within: pacing) == .hold(.rate(until: 60)))
        #expect(health.admit(at: 60, within: pacing) == .send)
    }

    @Test func `The server closes its window, and it opens again`() {
        var health = OriginHealth()
        health.close(until: 30)
        health.close(until: 20)
        #expect(health.admit(at: 10, within: .standard) == .hold(.closed(until: 30)))
        #expect(health.admit(at: 10, within: .none) == .send)
        #expect(health.admit(at: 30, within: .standard) == .send)
        health.close(until: 100)
        #expect(health.admit(at: 39, within: .standard) == .refuse(until: 100))
        #expect(health.admit(at: 40, within: .standard) == .hold(.closed(until: 100)))
    }

    @Test func `The circuit opens after failures in a row, and one probe decides`() {
        var health = OriginHealth()
        var pacing = Pacing.standard
        (pacing.failureLimit, pacing.failurePause) = (3, 30)
        func attempt(_ outcome: OriginHealth.Outcome, at time: TimeInterval) -> OriginHealth.Admission {
            let admission = health.admit(at: time, within: pacing)
            if [.send, .probe].contains(admission) {
                health.end(outcome, ofProbe: admission == .probe, at: time, within: pacing)
            }
            return admission
        }
        for outcome in [OriginHealth.Outcome.failure, .failure, .success, .failure, .unknown, .failure] {
            #expect(attempt(outcome, at: 0) == .send)
        }
        #expect(attempt(.failure, at: 1) == .send)
        #expect(attempt(.success, at: 30.9) == .refuse(until: 31))
        #expect(health.admit(at: 31, within: pacing) == .probe)
        #expect(health.admit(at: 32, within: pacing) == .refuse(until: 32))
        health.end(.failure, ofProbe: true, at: 33, within: pacing)
        #expect(attempt(.success, at: 62) == .refuse(until: 63))
        #expect(attempt(.success, at: 63) == .probe)
        for _ in 0..<5 { #expect(attempt(.success, at: 63) == .send) }
    }

    @Test func `A probe that succeeds before its end is an ordinary request afterwards`() {
        var health = OriginHealth()
        var pacing = Pacing.standard
        (pacing.failureLimit, pacing.concurrentRequests) = (2, 2)
        for _ in 0..<2 { #expect(health.admit(at: 0, within: pacing) == .send) }
        for _ in 0..<2 { health.end(.failure, at: 0, within: pacing) }
        #expect(health.admit(at: 30, within: pacing) == .probe)
        health.closeCircuit()
        #expect(health.admit(at: 31, within: pacing) == .send)
        #expect(health.admit(at: 31, within: pacing) == .hold(.concurrency))
        health.end(.failure, at: 32, within: pacing)
        #expect(health.admit(at: 32, within: pacing) == .send)
        health.end(.failure, at: 33, within: pacing)
        #expect(health.admit(at: 33, within: pacing) == .refuse(until: 63))
    }

    @Test func `A cancelled probe is replaced by another`() {
        var health = OriginHealth()
        var pacing = Pacing.standard
        (pacing.failureLimit, pacing.failurePause) = (0, -5)
        #expect(health.admit(at: 0, within: pacing) == .send)
        health.end(.failure, at: 0, within: pacing)
        #expect(health.admit(at: 0.05, within: pacing) == .refuse(until: 0.1))
        #expect(health.admit(at: 0.1, within: pacing) == .probe)
        health.end(.unknown, ofProbe: true, at: 0.2, within: pacing)
        #expect(health.admit(at: 0.2, within: pacing) == .probe)
    }

    @Test(arguments: [OriginHealth.Outcome.unknown, .failure])
    func `The end of an older request starts no second probe`(_ outcome: OriginHealth.Outcome) {
        var health = OriginHealth()
        var pacing = Pacing.standard
        (pacing.failureLimit, pacing.failurePause) = (1, 10)
        for _ in 0..<3 { #expect(health.admit(at: 0, within: pacing) == .send) }
        health.end(.failure, at: 0, within: pacing)
        #expect(health.admit(at: 10, within: pacing) == .probe)
        health.end(outcome, at: 11, within: pacing)
        #expect(health.admit(at: 11, within: pacing) == .refuse(until: 11))
        #expect(health.admit(at: 60, within: pacing) == .refuse(until: 60))
        health.end(.success, ofProbe: true, at: 60, within: pacing)
        #expect(health.admit(at: 60, within: pacing) == .send)
        health.end(.unknown, at: 61, within: pacing)
        #expect(health.admit(at: 61, within: pacing) == .send)
    }

    @Test func `Old failures do not count, and do not keep an origin in memory`() {
        var health = OriginHealth()
        var pacing = Pacing.standard
        (pacing.failureLimit, pacing.failurePause) = (2, 30)
        func fail(at time: TimeInterval) -> OriginHealth.Admission {
            let admission = health.admit(at: time, within: pacing)
            health.end(.failure, ofProbe: admission == .probe, at: time, within: pacing)
            return admission
        }
        #expect(fail(at: 0) == .send)
        #expect(!health.isForgettable(at: 600))
        #expect(health.isForgettable(at: 601))
        #expect(fail(at: 601) == .send)
        #expect(fail(at: 602) == .send)
        #expect(!health.isForgettable(at: 1200))
        #expect(health.isForgettable(at: 1233))
        #expect(fail(at: 1230) == .probe)
        #expect(health.admit(at: 1900, within: pacing) == .send)
        health.end(.success, at: 1900, within: pacing)
        #expect(health.isForgettable(at: 1900))
    }

    @Test func `A probe that takes long still decides`() {
        var health = OriginHealth()
        var pacing = Pacing.standard
        (pacing.failureLimit, pacing.failurePause) = (3, 30)
        for _ in 0..<3 { #expect(health.admit(at: 0, within: pacing) == .send) }
        for _ in 0..<3 { health.end(.failure, at: 0, within: pacing) }
        #expect(health.admit(at: 600, within: pacing) == .probe)
        #expect(!health.isForgettable(at: 2000))
        health.end(.failure, ofProbe: true, at: 2000, within: pacing)
        #expect(health.admit(at: 2029, within: pacing) == .refuse(until: 2030))
    }

    @Test func `An origin is forgotten only if that changes nothing`() {
        var health = OriginHealth()
        #expect(health.isForgettable(at: 0))
        health.close(until: 5)
        #expect(!health.isForgettable(at: 0))
        #expect(health.isForgettable(at: 5))
        _ = health.admit(at: 5, within: .standard)
        #expect(!health.isForgettable(at: 5))
        health.end(.success, at: 5, within: .standard)
        health.noteRequest(at: 6)
        #expect(!health.isForgettable(at: 30))
        #expect(health.isForgettable(at: 200))
    }

    // MARK: The queue

    @Test func `Requests leave in the order of their priority, then of their arrival`() {
        var queue = PacingQueue<String>()
        for (name, priority) in [("l1", .low), ("n1", .normal), ("h1", .high), ("n2", .normal), ("h2", .high)]
            as [(String, RequestPriority)]
        {
            queue.append(name, priority: priority, at: 0)
        }
        #expect((0..<5).map { _ in queue.removeFirst() } == ["h1", "h2", "n1", "n2", "l1"])
        #expect(queue.isEmpty)
        #expect(queue.removeFirst() == nil)
    }

    @Test func `Nothing starves`() {
        var queue = PacingQueue<String>()
        queue.append("low", priority: .low, at: 0)
        queue.append("normal", priority: .normal, at: 11)
        queue.append("high", priority: .high, at: 19.9)
        #expect(queue.removeFirst() == "high")
        queue.append("late", priority: .high, at: 20.1)
        #expect((0..<3).map { _ in queue.removeFirst() } == ["low", "late", "normal"])
    }

    @Test func `100 000 requests pass through the queue`() {
        var queue = PacingQueue<Int>()
        for index in 0..<100_000 { queue.append(index, priority: .normal, at: 0) }
        var last = -1
        while let next = queue.removeFirst() {
            #expect(next == last + 1)
            last = next
        }
        #expect(last == 99_999)
    }
}
