import Foundation
import SiestaTesting
import Testing

@Suite("A browser whose network has faults", .timeLimit(.minutes(30)))
@MainActor
struct FaultyWalkTests {
    /// `SOAK=1` plays all seeds.
    private static let seedCount: UInt64 = ProcessInfo.processInfo.environment["SOAK"] == "1" ? 1_000 : 100

    private func walk(_ seed: UInt64) async throws -> FaultyWalk {
        let walk = try FaultyWalk(seed: seed)
        try await walk.play(keyCount: 20)
        return walk
    }

    @Test func `never shows the data of another resource, and always comes to rest`() async throws {
        var faultCount = 0
        for seed in 1...Self.seedCount {
            let walk = try await walk(seed)
            #expect(walk.problems.isEmpty, "seed \(seed)")
            faultCount += walk.faultCount
        }
        #expect(faultCount > Int(Self.seedCount))
    }

    @Test func `does the same twice with the same seed`() async throws {
        for seed in 1...(Self.seedCount / 10) {
            let (first, second) = (try await walk(seed).record, try await walk(seed).record)
            #expect(first.faults == second.faults, "seed \(seed)")
            #expect(first.events == second.events, "seed \(seed)")
            #expect(first.screens == second.screens, "seed \(seed)")
        }
        #expect(try await walk(1).record != walk(2).record)
    }
}
