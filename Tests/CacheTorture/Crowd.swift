import Foundation
public import Siesta

/// One of several processes that use the same entities.
public struct Crowd: Sendable {
    /// How many entities there are in the end.
    public static let keyCount = 6
    private let storage: EntityStorage

    /// An entity was a mixture, or something failed.
    public struct Torn: Error {}

    /// Creates a member that uses a storage of its own.
    public init(_ storage: EntityStorage) {
        self.storage = storage
    }

    /// Writes, removes and reads, with the others doing the same.
    public func run() async throws {
        for round in 0..<200 {
            for number in 0..<Self.keyCount {
                let key = StoredEntityKey(principal: "", address: "\(number)", coding: .data)
                let content = Data(repeating: UInt8(round), count: 1 + round * 100)
                storage.write(
                    Entity<Any>(content: content, headers: [:], timestamp: TimeInterval(round)), forKey: key)
                if round % 10 == 9 { storage.remove(key) }
            }
            try await storage.flush()
            for number in 0..<Self.keyCount { try await check(number) }
            if round == 100 { try await storage.compact() }
        }
        for number in 0..<Self.keyCount {
            let key = StoredEntityKey(principal: "", address: "\(number)", coding: .data)
            storage.write(Entity<Any>(content: Data([0]), headers: [:], timestamp: 0), forKey: key)
        }
        try await storage.flush()
        guard await storage.statistics().failures == 0 else { throw Torn() }
    }

    private func check(_ number: Int) async throws {
        let key = StoredEntityKey(principal: "", address: "\(number)", coding: .data)
        let found = await withCheckedContinuation { continuation in
            storage.read(key) { continuation.resume(returning: $0) }
        }.value
        guard let found else { return }
        let round = Int(found.timestamp)
        let isWhole = found.content as? Data == Data(repeating: UInt8(round), count: 1 + round * 100)
        if !isWhole { throw Torn() }
    }
}
