import Testing

/// The library as a private HTTP cache, judged by sequences of requests to a scripted origin.
@MainActor @Suite(.timeLimit(.minutes(30)))
struct HTTPCachingTests {
    @Test(arguments: CacheSequence.all, SequencePlayer.Storage.allCases)
    func `A sequence has the outcome that the rules ask for`(
        _ sequence: CacheSequence, _ storage: SequencePlayer.Storage
    ) async throws {
        let differences = try await SequencePlayer(sequence, storage).play()
        #expect(differences.isEmpty, "\(storage.rawValue) \(sequence.testDescription): \(differences)")
    }

    @Test func `Each sequence has a name of its own`() {
        let ids = CacheSequence.all.map(\.id)
        #expect(Set(ids).count == ids.count)
    }
}
