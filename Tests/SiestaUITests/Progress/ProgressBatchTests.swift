import TestKit
import Testing

@testable import SiestaUI

@Suite(.timeLimit(.test))
struct ProgressBatchTests {
    @Test func `One request shows its own progress`() {
        var batch = ProgressBatch<Int>()
        batch.begin(1)
        #expect(!batch.hasEstimate)
        #expect(batch.value == 0)
        for progress in [0.1, 0.5, 0.4, 0.9] { batch.advance(1, to: progress) }
        #expect(batch.hasEstimate)
        #expect(abs(batch.value - 0.9) < 1e-9)
        batch.end(1)
        #expect(batch.isComplete)
        #expect(batch.value == 1)
    }

    @Test func `A request that ends without any progress is complete`() {
        var batch = ProgressBatch<Int>()
        batch.begin(1)
        batch.end(1)
        #expect(batch.hasEstimate)
        #expect(batch.isComplete)
        #expect(batch.value == 1)
    }

    @Test func `A request that joins shares the rest of the way`() {
        var batch = ProgressBatch<Int>()
        batch.begin(1)
        batch.advance(1, to: 0.8)
        batch.begin(2)
        #expect(abs(batch.value - 0.8) < 1e-9)
        batch.end(1)
        #expect(batch.value > 0.8)
        #expect(batch.value < 1)
        batch.advance(2, to: 0.5)
        #expect(batch.value < 1)
        batch.end(2)
        #expect(batch.value == 1)
    }

    @Test(arguments: TestSeed.cases(TestLevel.count(50, nightly: 200)))
    func `Whatever requests do, the value grows from 0 to 1`(seed: UInt64) {
        var random = SeededGenerator(seed)
        var batch = ProgressBatch<Int>()
        var last = 0.0
        batch.begin(0)
        for step in 1..<200 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: batch.begin(Int.random(in: 0..<20, using: &random), at: .random(in: 0...1, using: &random))
            case 1 where step % 5 == 0: batch.end(Int.random(in: 0..<20, using: &random))
            default: batch.advance(Int.random(in: 0..<20, using: &random), to: .random(in: -1...2, using: &random))
            }
            #expect(batch.value >= last)
            #expect(batch.value <= 1)
            last = batch.value
            if batch.isComplete { return #expect(last == 1) }
        }
        for id in 0..<20 { batch.end(id) }
        #expect(batch.value == 1)
    }

    @Test(arguments: [0.005, 0.016, 0.1, 3])
    func `A smooth value approaches its target at the same speed, however often it is updated`(step: Double) {
        var smooth = SmoothProgress()
        var (time, last) = (100.0, 0.0)
        smooth.approach(0, at: time)
        while time < 100.12 - step / 2 {
            time += step
            smooth.approach(1, at: time)
            #expect(smooth.value >= last)
            last = smooth.value
        }
        if step < 0.02 { #expect(abs(smooth.value - 0.632) < 0.05) }
        smooth.approach(1, at: time + 2)
        #expect(smooth.value == 1)
        smooth.approach(0.3, at: time + 3)
        #expect(smooth.value == 1)
        smooth.approach(1, at: time - 50)
        #expect(smooth.value == 1)
    }
}

/// Random numbers that a seed determines.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) {
        state = seed &+ 0x9E37_79B9_7F4A_7C15
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
