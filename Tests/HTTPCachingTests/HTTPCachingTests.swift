import Testing

/// The library as a private HTTP cache, judged by sequences of requests to a scripted origin.
@MainActor @Suite(.timeLimit(.minutes(30)))
struct HTTPCachingTests {
    @Test(arguments: CacheSequence.all)
    func `A sequence has the outcome of the rules, with its data in memory`(_ sequence: CacheSequence) async throws {
        try await check(sequence, .memory)
    }

    @Test(arguments: CacheSequence.all)
    func `A sequence has the outcome of the rules, with each step after a restart`(
        _ sequence: CacheSequence
    ) async throws {
        try await check(sequence, .persistentCache)
    }

    private func check(_ sequence: CacheSequence, _ storage: SequencePlayer.Storage) async throws {
        let differences = try await SequencePlayer(sequence, storage).play()
        #expect(differences.isEmpty, "\(storage.rawValue) \(sequence.testDescription): \(differences)")
    }

    @Test func `Each sequence has a name of its own`() {
        let ids = CacheSequence.all.map(\.id)
        #expect(Set(ids).count == ids.count)
    }
}
