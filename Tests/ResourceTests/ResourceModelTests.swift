import Foundation
import SiestaCore
import SiestaTesting
import TestKit
import Testing

/// Random sequences of all operations on a resource, compared with ``ResourceModel``.
///
/// If a sequence fails, the test prints its seed. `SIESTA_MODEL_SEED=… swift test --filter ResourceModelTests` runs
/// only that sequence.
@MainActor @Suite(.serialized, .timeLimit(.model))
struct ResourceModelTests {
    private static let sequencesPerTest = TestLevel.count(20, nightly: 200, soak: 1_000)

    /// The number of sequences that run at the same time and share the turns of the main queue.
    private static let batchSize = 20

    @Test(arguments: 0..<10)
    func `Whatever happens in whatever order, a resource does as the contract says, and leaks nothing`(
        _ part: Int
    ) async {
        if let seed = ProcessInfo.processInfo.environment["SIESTA_MODEL_SEED"].flatMap(UInt64.init) {
            return report(await run(seed..<seed + 1))
        }
        var coverage = Coverage()
        let cases = TestSeed.cases(10 * Self.sequencesPerTest).dropFirst(part * Self.sequencesPerTest)
        for batch in 0..<Self.sequencesPerTest / Self.batchSize {
            let worlds = await run(cases.dropFirst(batch * Self.batchSize).prefix(Self.batchSize))
            report(worlds)
            for world in worlds { coverage.add(world) }
            if worlds.contains(where: { $0.mismatch != nil }) { return }
        }
        if TestLevel.current == .soak { coverage.expectEverything() }
    }

    private func run(_ seeds: Range<UInt64>) async -> [ResourceModel.World] {
        let worlds = seeds.map(ResourceModel.World.init)
        for _ in 0..<6 {
            for world in worlds { world.runSomeSteps() }
            await mainQueueTurn()
            for world in worlds { world.hearAnswers() }
        }
        for world in worlds { world.finish() }
        await mainQueueTurn()
        for world in worlds { world.hearAnswers() }
        await mainQueueTurn()
        let checks = worlds.map { $0.release() }
        await mainQueueTurn()
        for check in checks { check() }
        return worlds
    }

    private func report(_ worlds: [ResourceModel.World]) {
        for mismatch in worlds.compactMap(\.mismatch).prefix(3) { Issue.record("\(mismatch)") }
    }

    /// Counts the events of all sequences, to detect a generator that no longer covers all cases.
    private struct Coverage {
        private var events: [ResourceEvent: Int] = [:]
        private var stepCount = 0
        private var askedAgainCount = 0
        private var overtakenCount = 0

        @MainActor mutating func add(_ world: ResourceModel.World) {
            events.merge(world.eventCounts, uniquingKeysWith: +)
            stepCount += world.steps.count
            askedAgainCount += world.model.askedAgainCount
            overtakenCount += world.model.overtakenCount
        }

        func expectEverything() {
            let expected: [ResourceEvent] = [
                .requested, .requestCancelled, .newData(.network), .newData(.localOverride), .newData(.wipe),
                .notModified, .error,
            ]
            for event in expected { #expect(events[event] ?? 0 > 100) }
            #expect(stepCount > 15_000)
            #expect(askedAgainCount > 10)
            #expect(overtakenCount > 100)
        }
    }
}
