import Foundation
import SiestaTesting
import TestKit
import Testing

@Suite("A browser whose network has faults", .timeLimit(.model))
@MainActor
struct FaultyWalkTests {
    private static let seedCount = TestLevel.count(10, nightly: 100, soak: 1_000)

    private func walk(_ seed: UInt64) async throws -> FaultyWalk {
        let walk = try FaultyWalk(seed: seed)
        try await walk.play(keyCount: 20)
        return walk
    }

    @Test func `never shows the data of another resource, and always comes to rest`() async throws {
        var faultCount = 0
        for seed in TestSeed.cases(Self.seedCount) {
            let walk = try await walk(seed)
            #expect(walk.problems.isEmpty, "seed \(seed)")
            faultCount += walk.faultCount
        }
        #expect(faultCount > Self.seedCount)
    }

    @Test func `does the same twice with the same seed`() async throws {
        for seed in TestSeed.cases(Self.seedCount / 10) {
            let (first, second) = (try await walk(seed).record, try await walk(seed).record)
            #expect(first.faults == second.faults, "seed \(seed)")
            #expect(first.events == second.events, "seed \(seed)")
            #expect(first.screens == second.screens, "seed \(seed)")
        }
        #expect(try await walk(1).record != walk(2).record)
    }
}
