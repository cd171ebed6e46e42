import CacheTorture
package import Foundation
import SiestaCore
package import SiestaWriting
import TestKit

/// The requirements on a store of an outbox, as checks.
package struct OutboxStoreConformance: Sendable {
    /// The encryption with which a check opens a store.
    package enum Key: Sendable {
        case own, other
    }

    /// The ways in which stores differ.
    package enum Kind: Sendable {
        case memory, plain, sealed
    }

    /// Opens the store at a place. The folder of the place does not exist before the first call.
    package typealias Opener = @Sendable (_ place: URL, Key) throws -> any OutboxStore

    let kind: Kind
    let opener: Opener
    let folder: TestFolder

    /// Runs all checks. Returns the requirements that the store does not meet.
    package static func violations(_ kind: Kind, _ opener: @escaping Opener) async throws -> [String] {
        let suite = OutboxStoreConformance(kind: kind, opener: opener, folder: try TestFolder())
        var violations: [String] = []
        for (name, check) in suite.checks {
            do {
                try await check(suite.folder.url.appendingPathComponent("\(name)/outbox"))
            } catch let violation as Violation {
                violations.append("\(name): \(violation.text)")
            } catch {
                violations.append("\(name): \(error)")
            }
        }
        return violations
    }

    /// A requirement that is not met.
    struct Violation: Error {
        let text: String
    }

    typealias Check = (URL) async throws -> Void

    private var checks: [(String, Check)] {
        let all: [(String, Check)] = [
            ("order", checkOrder), ("batches", checkBatches), ("nothing", checkNothing), ("turns", checkTurns),
            ("many", checkMany),
        ]
        if kind == .memory { return all }
        let lasting: [(String, Check)] = [("bodies", checkFiles), ("orphans", checkOrphans), ("lock", checkLock)]
        return all + lasting + [("text", checkText)]
            + (kind == .sealed ? [("key", checkKey), ("discarding", checkDiscarding), ("damage", checkDamage)] : [])
    }

    // MARK: Tools

    func require(_ condition: Bool, _ text: @autoclosure () -> String) throws {
        if !condition { throw Violation(text: text()) }
    }

    func open(_ place: URL, _ key: Key = .own) throws -> any OutboxStore { try opener(place, key) }

    /// Ends the use of a store, and opens its place again.
    func again(_ store: any OutboxStore, _ place: URL, _ key: Key = .own) async throws -> any OutboxStore {
        guard kind != .memory else { return store }
        await store.close()
        return try open(place, key)
    }

    func expect(_ entries: [Outbox.Entry], in store: any OutboxStore, unreadable: Int = 0) async throws {
        let found = try await store.load()
        try require(found.entries == entries, "\(found.entries.count) entries, or others, instead of \(entries.count)")
        try require(found.unreadable == unreadable, "\(found.unreadable) are unreadable instead of \(unreadable)")
    }

    func content(_ body: Outbox.Body, _ store: any OutboxStore) async throws -> Data {
        switch body {
        case .bytes(let data): return data
        case .kept(let name, _):
            var all = Data()
            for try await piece in store.pieces(of: name) { all += piece }
            return all
        case .none, .referenced: return Data()
        }
    }

    // MARK: Entries

    private func checkOrder(_ place: URL) async throws {
        let entries = (1...100).map { number in
            Outbox.Entry.stored(
                number, principal: [nil, "ada", ""][Int(number) % 3], body: .bytes(Data("body \(number)".utf8)))
        }
        let store = try open(place)
        try await expect([], in: store)
        for entry in entries.shuffled() { try await store.apply([.write(entry)]) }
        try await store.apply([.write(entries[10].with(.sending)), .remove(id: entries[20].id)])
        var expected = entries
        expected[10] = entries[10].with(.sending)
        expected.remove(at: 20)
        try await expect(expected, in: try await again(store, place))
    }

    private func checkBatches(_ place: URL) async throws {
        let store = try open(place)
        try await store.apply((1...100).map { .write(.stored($0)) })
        try await store.apply([
            .write(.stored(101)), .remove(id: "entry 101"), .remove(id: "entry 1"),
            .write(.stored(100).with(.sending)), .write(.stored(1).with(.sending)), .remove(id: "entry 100"),
        ])
        let expected = [Outbox.Entry.stored(1).with(.sending)] + (2...99).map { .stored($0) }
        try await expect(expected, in: try await again(store, place))
    }

    private func checkNothing(_ place: URL) async throws {
        let store = try open(place)
        try await store.apply([])
        try await store.apply([.remove(id: "none")])
        try await store.discardUnreadable()
        try await store.apply([.write(.stored(1))])
        try await store.discardUnreadable()
        try await expect([.stored(1)], in: try await again(store, place))
    }

    private func checkTurns(_ place: URL) async throws {
        let store = try open(place)
        await withTaskGroup(of: Void.self) { group in
            for number in UInt64(1)...200 { group.addTask { try? await store.apply([.write(.stored(number))]) } }
        }
        try await expect((1...200).map { .stored($0) }, in: try await again(store, place))
    }

    private func checkMany(_ place: URL) async throws {
        let count = TestLevel.count(1_000, nightly: 10_000)
        let entries = (1...UInt64(count)).map { number in
            Outbox.Entry.stored(
                number, principal: number % 5 == 0 ? "ada" : nil, scope: "scope \(number % UInt64(count * 3 / 10))",
                body: .bytes(Data(repeating: UInt8(truncatingIfNeeded: number), count: 100)))
        }
        let store = try open(place)
        try await store.apply(entries.map { .write($0) })
        let second = try await again(store, place)
        try await expect(entries, in: second)
        try await second.apply([.write(entries[count / 2].with(.sending)), .remove(id: entries[count - 1].id)])
        var expected = entries.dropLast() as [Outbox.Entry]
        expected[count / 2] = entries[count / 2].with(.sending)
        try await expect(expected, in: try await again(second, place))
    }

    // MARK: One outbox

    private func checkLock(_ place: URL) async throws {
        let first = try open(place)
        try await first.apply([.write(.stored(1))])
        for attempt in 0..<3 {
            let second = try open(place)
            do {
                switch attempt {
                case 0: _ = try await second.load()
                case 1: try await second.apply([.write(.stored(2))])
                default: _ = try await second.keep(Data(count: 9999))
                }
                throw Violation(text: "a second outbox is not refused")
            } catch let error as OutboxInUse {
                try require(error.path == place.path, "the error names \(error.path)")
            }
        }
        try await first.apply([.write(.stored(3))])
        try await expect([.stored(1), .stored(3)], in: try await again(first, place))
    }
}
