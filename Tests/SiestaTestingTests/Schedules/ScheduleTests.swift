import SiestaCore
import TestDoubles
import TestKit
import Testing
@testable import SiestaTesting

/// Random schedules, and the shortest scripts that fail.
@MainActor @Suite(.timeLimit(.test))
struct ScheduleTests {
    /// An app with a defect: it breaks if it is closed while two books are open.
    @MainActor
    private final class Shelf {
        var open: Set<Int> = []
        var isBroken = false
        var steps = 0
    }

    private struct Refused: Error {}

    private func schedule(hang: Bool = false, weight: Double = 1) -> Schedule<Shelf> {
        var schedule = Schedule { _ in
            Shelf()
        } invariant: {
            !$0.isBroken
        } steps: {
            ScheduleStep("open", 0..<10) { shelf, book in
                await mainQueueTurn()
                shelf.open.insert(book)
            }
            ScheduleStep("close", when: { !$0.open.isEmpty }) { shelf in
                shelf.isBroken = shelf.open.contains(3) && shelf.open.contains(7)
                shelf.open = []
            }
            ScheduleStep("read") { $0.steps += 1 }
            ScheduleStep("never", weight: 0) { _ in throw Refused() }
            if hang {
                ScheduleStep("hang", weight: weight) { _ in try? await Task.sleep(for: .seconds(3600)) }
            }
        }
        schedule.stepTimeLimit = hang ? .milliseconds(50) : .seconds(60)
        return schedule
    }

    private func failure(_ run: () async throws -> Void) async throws -> ScheduleFailure {
        try #require(await #expect(throws: ScheduleFailure.self) { try await run() })
    }

    @Test func `A failing seed is shrunk to the shortest script, which fails again`() async throws {
        let schedule = schedule()
        let failure = try await failure { try await schedule.run(steps: 60, seeds: 0..<1000) }
        #expect(failure.kind == .invariant)
        #expect(failure.script.count == 3)
        let opened = failure.script.dropLast().sorted { ($0.argument ?? 0) < ($1.argument ?? 0) }
        #expect(opened == [ScheduleCall("open", 3), ScheduleCall("open", 7)])
        #expect(failure.script.last == ScheduleCall("close"))
        let shrinking = try #require(failure.shrinking)
        #expect(shrinking.originalCount > 3)
        #expect(shrinking.isComplete)
        #expect(shrinking.isReproducible)
        #expect(shrinking.runs < 200)
        let again = try await self.failure { try await schedule.replay(seed: failure.seed, failure.script) }
        #expect(again.script == failure.script)
        #expect(again.shrinking == nil)
    }

    @Test func `The same seed finds the same script`() async throws {
        let first = try await failure { try await schedule().run(steps: 60, seeds: 0..<1000) }
        let second = try await failure { try await schedule().run(steps: 60, seeds: 0..<1000) }
        #expect(first.seed == second.seed)
        #expect(first.script == second.script)
        #expect(first.description == second.description)
    }

    @Test func `The failure is printed as Swift code`() async throws {
        let script = [ScheduleCall("open", 3), ScheduleCall("open", 7), ScheduleCall("close")]
        let failure = try await failure { try await schedule().replay(seed: 5, script) }
        #expect(
            failure.code == """
                try await schedule.replay(seed: 5, [
                    .init("open", 3),
                    .init("open", 7),
                    .init("close"),
                ])
                """)
        #expect(
            failure.description.hasPrefix("The invariant fails after \"close\": it returns false\nSeed 5, 3 steps."))
        #expect(ScheduleCall("a \"b\"").description == #".init("a \"b\"")"#)
    }

    @Test func `Steps that are not possible are neither drawn nor replayed`() async throws {
        var drawn = 0
        let schedule = Schedule { _ in
            Shelf()
        } steps: {
            ScheduleStep("never", when: { _ in false }) { _ in throw Refused() }
            ScheduleStep("always") { _ in drawn += 1 }
        }
        try await schedule.run(steps: 20, seeds: 0..<5)
        #expect(drawn == 100)
        try await schedule.replay(seed: 1, [.init("never"), .init("always")])
        #expect(drawn == 101)
        let empty = Schedule { _ in
            Shelf()
        } steps: {
            ScheduleStep("no", when: { _ in false }) { _ in }
        }
        try await empty.run(steps: 20, seeds: 0..<5)
    }

    @Test func `Weights determine how often a step is taken`() async throws {
        var counts = [0, 0]
        let schedule = Schedule { _ in
            Shelf()
        } steps: {
            ScheduleStep("rare", weight: 0.25) { _ in counts[0] += 1 }
            ScheduleStep("often", weight: 0.75) { _ in counts[1] += 1 }
        }
        try await schedule.run(steps: 2000, seed: 1)
        #expect(abs(counts[0] - 500) < 100)
        #expect(counts[0] + counts[1] == 2000)
    }

    @Test func `A step that throws, an unknown step and a failed set-up are failures`() async throws {
        let thrown = try await failure { try await schedule().replay(seed: 1, [.init("read"), .init("never")]) }
        #expect(thrown.kind == .step)
        #expect(thrown.message == "Refused()")
        #expect(thrown.script.count == 2)
        let unknown = try await failure { try await schedule().replay(seed: 1, [.init("reed")]) }
        #expect(unknown.kind == .unknownStep)
        #expect(unknown.description.contains("no step \"reed\""))
        let none = Schedule<Shelf> { _ in
            throw Refused()
        } steps: {
        }
        #expect(try await failure { try await none.run(steps: 1, seed: 1) }.kind == .setUp)
    }

    @Test func `The invariant is checked at the start, and may throw`() async throws {
        let schedule = Schedule { _ in
            Shelf()
        } invariant: { _ in
            throw Refused()
        } steps: {
        }
        let failure = try await failure { try await schedule.run(steps: 1, seed: 1) }
        #expect(failure.kind == .invariant)
        #expect(failure.script.isEmpty)
        #expect(failure.message == "Refused()")
        #expect(failure.description.hasPrefix("The invariant fails at the start"))
    }

    @Test func `A step that hangs is a failure with the name of the step`() async throws {
        let failure = try await failure { try await schedule(hang: true, weight: 4).run(steps: 10, seeds: 0..<10) }
        #expect(failure.kind == .hang)
        #expect(failure.script == [.init("hang")])
        #expect(failure.description.hasPrefix("The step \"hang\" does not end: it has run for 0.05 seconds"))
    }

    @Test func `The number of runs for shrinking is limited`() async throws {
        var schedule = schedule()
        schedule.shrinkLimit = 3
        let failure = try await failure { try await schedule.run(steps: 60, seeds: 0..<1000) }
        #expect(failure.shrinking?.runs == 3)
        #expect(failure.shrinking?.isComplete == false)
        #expect(failure.description.contains("not complete"))
    }

    @Test func `A failure that does not occur again is reported as it was`() async throws {
        var runs = 0
        let schedule = Schedule { _ in
            runs += 1
        } steps: {
            ScheduleStep("flaky") { _ in if runs == 1 { throw Refused() } }
        }
        let failure = try await failure { try await schedule.run(steps: 5, seed: 1) }
        #expect(failure.script == [.init("flaky")])
        #expect(failure.shrinking?.isReproducible == false)
        #expect(failure.description.contains("something random has no seed"))
    }

    @Test func `A cancelled run throws CancellationError`() async throws {
        let task = Task { try await schedule().run(steps: 10, seeds: 0..<UInt64.max) }
        task.cancel()
        let result = await task.result
        #expect(throws: CancellationError.self) { try result.get() }
    }

    @Test func `A step that hangs is not run hundreds of times to shorten its script`() {
        var schedule = schedule()
        #expect(schedule.runLimit(after: .invariant) == 500)
        #expect(schedule.runLimit(after: .hang) == 20)
        schedule.shrinkLimit = 3
        #expect(schedule.runLimit(after: .hang) == 3)
    }
}

/// The search for the shortest script.
@Suite(.timeLimit(.test))
struct ScriptSearchTests {
    private func shortest(of count: Int, needing needed: Set<Int>) -> (found: [Int], runs: Int) {
        var search = ScriptSearch((0..<count).map { ScheduleCall("x", $0) })
        var (found, runs) = (Array(0..<count), 0)
        while let candidate = search.next() {
            runs += 1
            let numbers = candidate.compactMap(\.argument)
            guard needed.isSubset(of: numbers) else { continue }
            found = numbers
            search.accept(candidate)
        }
        return (found, runs)
    }

    @Test func `The search finds exactly the needed calls, with few runs`() {
        for count in [0, 1, 2, 3, 7, 64, 100] {
            var generator = SplitMix64(seed: UInt64(count))
            for size in 0...min(4, count) {
                let needed = Set((0..<count).shuffled(using: &generator).prefix(size))
                let (found, runs) = shortest(of: count, needing: needed)
                #expect(found == needed.sorted())
                #expect(runs <= 10 + 12 * (size + 1) + count / 4)
            }
        }
    }

    @Test func `A call that can be left out only after a later one is left out in the next pass`() {
        // 8 needs 2, so that 2 can be left out only after 8.
        var search = ScriptSearch((0..<20).map { ScheduleCall("x", $0) })
        var found: [Int] = []
        while let candidate = search.next() {
            let numbers = candidate.compactMap(\.argument)
            guard numbers.contains(5), numbers.contains(2) || !numbers.contains(8) else { continue }
            (found, _) = (numbers, search.accept(candidate))
        }
        #expect(found == [5])
    }

    @Test func `After a chunk was left out, the search continues at the same place`() {
        #expect(shortest(of: 64, needing: [0, 20, 40]).runs == 45)
    }

    @Test func `The search is over after one pass if every call is needed`() {
        let (found, runs) = shortest(of: 20, needing: Set(0..<20))
        #expect(found.count == 20)
        #expect(runs < 60)
    }
}
