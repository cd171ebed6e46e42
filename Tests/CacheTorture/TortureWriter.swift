import Foundation
public import SiestaCaches
import SiestaCore

/// Writes to a cache as fast as it can and logs the rounds that must survive. Checks later that they have survived.
///
/// A seed determines everything: the keys that a round writes or removes, and their content. The log contains each
/// round when it begins, and again when it must survive a crash.
public struct TortureWriter: Sendable {
    private let storage: CacheStorage
    private let log: String
    private static let keyCount: UInt64 = 40

    /// Creates a writer. Lines are appended to the log file.
    public init(_ storage: CacheStorage, log: String) {
        self.storage = storage
        self.log = log
    }

    /// The write or removal of one entity in a round.
    struct Step {
        let key: UInt64
        let isRemoval: Bool
    }

    /// Writes until the process is killed. That happens `delay` microseconds after the first `rounds` rounds.
    public func run(rounds: Int, then delay: UInt32) async throws -> Never {
        let file = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        var round = try progress().begun + 1
        let end = PlannedKill(after: rounds, delay: Int64(delay))
        while true {
            note("begun \(round)\n", file)
            for step in Self.steps(of: round) {
                let key = Self.key(step.key)
                if step.isRemoval {
                    storage.remove(key)
                } else {
                    storage.write(Self.entity(step.key, round), forKey: key)
                }
            }
            // Killing the process does not cut the power, so data that the store has written without a flush must
            // survive as well.
            if round % 4 == 0 { try await storage.flush() } else { _ = await storage.statistics() }
            note("promised \(round)\n", file)
            round += 1
            end.step()
        }
    }

    /// Returns the violated promises; empty if there are none.
    public func brokenPromises() async throws -> [String] {
        let progress = try progress()
        var broken: [String] = []
        for number in 0..<Self.keyCount {
            let possible = Self.possibleRounds(of: number, progress)
            let found = await read(Self.key(number))
            let round = found.flatMap { UInt64($0.timestamp) }
            if !possible.contains(round) {
                broken.append("key \(number) is of round \(round as Any), of \(possible)")
            }
            if let found, let round, found.content as? Data != Self.content(number, round) {
                broken.append("key \(number) of round \(round) has other content")
            }
        }
        let failures = await storage.statistics().failures
        if failures > 0 { broken.append("\(failures) failures or damaged records") }
        return broken
    }

    /// The contents of the log.
    public struct Progress: Sendable {
        /// The last round that was begun.
        public var begun: UInt64 = 0
        /// The rounds that must survive.
        public var promised: Set<UInt64> = []
    }

    /// Returns the rounds of all processes so far.
    public func progress() throws -> Progress {
        var progress = Progress()
        guard FileManager.default.fileExists(atPath: log) else { return progress }
        for line in try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 2, let round = UInt64(words[1]) else { continue }
            if words[0] == "begun" {
                progress.begun = max(progress.begun, round)
            } else {
                progress.promised.insert(round)
            }
        }
        return progress
    }

    /// Returns the rounds that may have written the entity; nil stands for no entity. These are the last round with
    /// this key that must survive, and all rounds with this key that were begun after it.
    private static func possibleRounds(of key: UInt64, _ progress: Progress) -> [UInt64?] {
        var possible: [UInt64?] = [nil]
        for round in 0...progress.begun {
            for step in steps(of: round) where step.key == key {
                if progress.promised.contains(round) { possible = [] }
                possible.append(step.isRemoval ? nil : round)
            }
        }
        return possible
    }

    private static func steps(of round: UInt64) -> [Step] {
        guard round > 0 else { return [] }
        return (0..<(1 + mixed(round, 0) % 12)).map { number in
            Step(key: mixed(round, 2 * number + 1) % keyCount, isRemoval: mixed(round, 2 * number + 2) % 8 == 0)
        }
    }

    private static func content(_ key: UInt64, _ round: UInt64) -> Data {
        let seed = mixed(key, round)
        let length = seed % 10 == 0 ? seed % 60_000 : seed % 600
        return Data((0..<length).map { UInt8(truncatingIfNeeded: seed &+ $0) })
    }

    private static func entity(_ key: UInt64, _ round: UInt64) -> Entity<Any> {
        Entity<Any>(content: content(key, round), headers: ["ETag": "\(round)"], timestamp: TimeInterval(round))
    }

    private static func key(_ number: UInt64) -> CacheKey {
        CacheKey(
            principal: number % 3 == 0 ? "ada" : "", address: "http://torture.test/\(number)", coding: .data)
    }

    private func read(_ key: CacheKey) async -> Entity<Any>? {
        await storage.entity(forKey: key)
    }

    /// Writes with one system call, so that the log contains the whole line or nothing of it.
    private func note(_ line: String, _ file: CInt) {
        _ = write(file, line, line.utf8.count)
    }
}

/// A pseudo-random number that two other numbers determine (SplitMix64).
func mixed(_ first: UInt64, _ second: UInt64) -> UInt64 {
    var mixed = (first &* 0xD134_2543_DE82_EF95 ^ second) &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
}
