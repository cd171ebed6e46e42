import TestKit
import Testing

/// The library as a private HTTP cache, judged by sequences of requests to a scripted origin.
@MainActor @Suite(.timeLimit(.model))
struct HTTPCachingTests {
    /// The sequences, each with the storages that play it: at the lowest level one of them, another one each day.
    private nonisolated static let played: [(CacheSequence, SequencePlayer.Storage)] = {
        let storages = SequencePlayer.Storage.allCases
        return CacheSequence.all.enumerated().flatMap { index, sequence in
            let first = (index + Int(TestSeed.current)) % storages.count
            let chosen = TestLevel.current < .nightly ? [storages[first]] : storages
            return chosen.map { (sequence, $0) }
        }
    }()

    @Test(arguments: played)
    func `A sequence has the outcome that the rules ask for`(
        _ sequence: CacheSequence, _ storage: SequencePlayer.Storage
    ) async throws {
        let differences = try await SequencePlayer(sequence, storage).play()
        if let reason = storage.deviations[sequence.id] {
            withKnownIssue("\(reason)") { #expect(differences.isEmpty) }
        } else {
            #expect(differences.isEmpty, "\(storage.rawValue) \(sequence.testDescription): \(differences)")
        }
    }

    @Test func `All but three sequences of required outcomes pass in memory, and at least 600 are played`() {
        let required = CacheSequence.all.filter { $0.kind == .required }
        let deviations = SequencePlayer.Storage.memory.deviations
        #expect(required.count { deviations[$0.id] != nil } <= 3)
        #expect(CacheSequence.all.count >= 600)
    }

    @Test func `Each sequence has a name of its own`() {
        let ids = CacheSequence.all.map(\.id)
        #expect(Set(ids).count == ids.count)
    }
}
