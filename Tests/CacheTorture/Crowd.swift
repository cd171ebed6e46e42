import Foundation
public import SiestaCaches
import SiestaCore

/// One of several processes that use the same entities at the same time.
public struct Crowd: Sendable {
    /// The number of entities at the end of a run.
    public static let keyCount = 6
    private let storage: CacheStorage

    /// An entity was a mixture of two writes, or an operation failed.
    public struct Torn: Error {}

    /// Creates a member with its own storage.
    public init(_ storage: CacheStorage) {
        self.storage = storage
    }

    /// Writes, removes and reads entities while the other processes do the same.
    public func run() async throws {
        for round in 0..<200 {
            for number in 0..<Self.keyCount {
                let key = CacheKey(principal: "", address: "\(number)", coding: .data)
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
            let key = CacheKey(principal: "", address: "\(number)", coding: .data)
            storage.write(Entity<Any>(content: Data([0]), headers: [:], timestamp: 0), forKey: key)
        }
        try await storage.flush()
        guard await storage.statistics().failures == 0 else { throw Torn() }
    }

    private func check(_ number: Int) async throws {
        let key = CacheKey(principal: "", address: "\(number)", coding: .data)
        let found = await storage.entity(forKey: key)
        guard let found else { return }
        let round = Int(found.timestamp)
        let isWhole = found.content as? Data == Data(repeating: UInt8(round), count: 1 + round * 100)
        if !isWhole { throw Torn() }
    }
}
