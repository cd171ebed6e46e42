import CacheTorture
import SiestaCore
import TestKit
import Testing

@testable import SiestaRetrying

/// The heap of the times at which polled resources are due.
@Suite(.timeLimit(.test))
struct PollScheduleTests {
    @Test func `The slot that is due first comes first, whatever was changed before`() {
        var generator = SeededGenerator(seed: TestSeed.current)
        var schedule = PollSchedule()
        var expected: [Int: Double] = [:]
        var slots: [Int] = []
        for step in 0..<TestLevel.count(4_000, nightly: 20_000) {
            switch Int.random(in: 0..<10, using: &generator) {
            case 0...2:
                slots.append(schedule.add(interval: 1))
            case 3 where !slots.isEmpty:
                let slot = slots.remove(at: Int.random(in: 0..<slots.count, using: &generator))
                schedule.remove(slot)
                expected[slot] = nil
            case 4 where !slots.isEmpty:
                let slot = slots[Int.random(in: 0..<slots.count, using: &generator)]
                schedule.pause(slot)
                expected[slot] = nil
            default:
                guard let slot = slots.randomElement(using: &generator) else { continue }
                let time = Double.random(in: 0..<1000, using: &generator)
                schedule.schedule(slot, at: time)
                expected[slot] = time
            }
            let comment: Comment = "seed \(TestSeed.current), step \(step)"
            #expect(schedule.first?.due == expected.values.min(), comment)
            if let first = schedule.first { #expect(expected[first.slot] == first.due, comment) }
        }
        #expect(Set(slots).count == slots.count)
    }

    @Test func `Freed slots are used again`() {
        var schedule = PollSchedule()
        let slot = schedule.add(interval: 2)
        schedule.schedule(slot, at: 5)
        schedule.remove(slot)
        #expect(schedule.add(interval: 3) == slot)
        #expect(schedule.slotCount == 1)
        #expect(schedule.interval(of: slot) == 3)
        #expect(schedule.first == nil)
    }
}
