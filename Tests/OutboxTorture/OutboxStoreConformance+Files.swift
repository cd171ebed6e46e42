import CacheTorture
import Foundation
import SiestaCore
import SiestaWriting
import TestKit
import Waiting

/// The bodies that are files, and the bytes on the disk.
extension OutboxStoreConformance {
    /// Returns the paths of the files at a place, without folders.
    private func files(_ place: URL) -> [String] {
        let name = place.deletingLastPathComponent().lastPathComponent
        return folder.files.filter { $0.hasPrefix(name + "/") }.map { folder.path + "/" + $0 }
    }

    private func bodies(_ place: URL) -> [String] { files(place).filter { $0.contains("/files/") } }

    func checkFiles(_ place: URL) async throws {
        let store = try open(place)
        let source = folder.url.appendingPathComponent("source")
        var entries: [Outbox.Entry] = []
        var contents: [Data] = []
        for length in [0, 1, 1025, 262_144, 700_001] {
            let data = Data((0..<length).map { UInt8(truncatingIfNeeded: $0 / 251) })
            try data.write(to: source)
            for body in [try await store.keep(fileAt: source), try await store.keep(data)] {
                entries.append(.stored(UInt64(entries.count + 1), body: body))
                contents.append(data)
            }
        }
        try FileManager.default.removeItem(at: source)
        try await store.apply(entries.map { .write($0) })
        let second = try await again(store, place)
        try await expect(entries, in: second)
        for (entry, data) in zip(entries, contents) {
            let found = try await content(entry.request.body, second)
            try require(found == data, "a body of \(data.count) bytes is another after a restart")
            guard let name = entry.request.body.keptName else { continue }
            let location = try await second.url(of: name)
            try require((location == nil) == (kind == .sealed), "a sealed file has a URL, or a plain one has none")
        }
        try await second.apply(entries.map { .remove(id: $0.id) })
        try require(bodies(place).isEmpty, "files stay without their entries")
        await second.close()
    }

    func checkOrphans(_ place: URL) async throws {
        let store = try open(place)
        let (used, _) = (try await store.keep(Data(count: 2000)), try await store.keep(Data(count: 2000)))
        try await store.apply([.write(.stored(1, body: used))])
        let second = try await again(store, place)
        try await expect([.stored(1, body: used)], in: second)
        try require(bodies(place).count == 1, "\(bodies(place).count) files for one entry")
        await second.close()
    }

    /// A sealed store has no plain text in any file. A plain store has, so that this check can fail.
    func checkText(_ place: URL) async throws {
        let store = try open(place)
        let source = folder.url.appendingPathComponent("source")
        try Data("a secret file of some length".utf8).write(to: source)
        let copied = try await store.keep(fileAt: source)
        try FileManager.default.removeItem(at: source)
        let large = try await store.keep(Data(String(repeating: "a large secret ", count: 50_000).utf8))
        try await store.apply([
            .write(.stored(1, principal: "secret ada", scope: "secret scope", body: .bytes(Data("secret".utf8)))),
            .write(.stored(2, body: copied)), .write(.stored(3, body: large)), .write(.stored(4)),
        ])
        try await store.apply([.remove(id: "entry 4")])
        let paths = files(place)
        let all = try paths.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
        for text in ["secret", "api.test", "PATCH", "application/json", "entry 4"] {
            let isFound = all.contains { $0.range(of: Data(text.utf8)) != nil }
            let isExpected = kind == .plain && text != "entry 4"
            try require(isFound || !isExpected, "the plain text “\(text)” is not found")
            try require(!isFound || kind == .plain, "the text “\(text)” is not sealed")
        }
        try require(!paths.contains { $0.contains("secret") }, "the name of a file contains the principal")
        await store.close()
    }

    // MARK: Keys and damage

    func checkKey(_ place: URL) async throws {
        let first = try open(place)
        let body = try await first.keep(Data(count: 2000))
        let entries = [Outbox.Entry.stored(1, body: body), .stored(2, principal: "ada")]
        try await first.apply(entries.map { .write($0) })
        let other = try await again(first, place, .other)
        try await expect([], in: other, unreadable: 2)
        try await other.apply([.write(.stored(3))])
        let second = try await again(other, place, .other)
        try await expect([.stored(3)], in: second, unreadable: 2)
        let own = try await again(second, place)
        try await expect(entries, in: own, unreadable: 1)
        let content = try await content(body, own)
        try require(content == Data(count: 2000), "another key has destroyed a file")
        await own.close()
    }

    func checkDiscarding(_ place: URL) async throws {
        let first = try open(place)
        try await first.apply((1...40).map { .write(.stored($0, principal: $0 % 2 == 0 ? "ada" : nil)) })
        let other = try await again(first, place, .other)
        try await expect([], in: other, unreadable: 40)
        try await other.discardUnreadable()
        try await other.apply([.write(.stored(50))])
        let second = try await again(other, place, .other)
        try await expect([.stored(50)], in: second)
        try await expect([], in: try await again(second, place), unreadable: 1)
    }

    /// One changed bit is reported, whatever its place, and no entry or file has another content.
    func checkDamage(_ place: URL) async throws {
        let entries: [Outbox.Entry]
        do {
            let store = try open(place)
            let body = try await store.keep(Data(count: 300_000))
            entries = [.stored(1, body: body)] + (2...100).map { .stored($0, body: .bytes(Data(count: 200))) }
            try await store.apply(entries.map { .write($0) })
            await store.close()
        }
        // SQLite moves the content of its log to the database when nothing uses it any more.
        try await Poll.until { !files(place).contains { $0.hasSuffix("-wal") } }
        var random = SeededGenerator(seed: TestSeed.current)
        let home = place.deletingLastPathComponent()
        let paths = files(home.appendingPathComponent("outbox")).map { String($0.dropFirst(home.path.count)) }
        let count = TestLevel.count(10, nightly: 100)
        var reported = 0
        for round in 0..<count {
            let copy = folder.url.appendingPathComponent("damage-\(round)")
            try FileManager.default.copyItem(at: home, to: copy)
            let size = try damage(copy, paths, &random)
            if size > 0, try await isReported(copy.appendingPathComponent("outbox"), entries) { reported += 1 }
            try? FileManager.default.removeItem(at: copy)  // SQLite may remove a file of the copy at the same time.
        }
        let least = TestLevel.count(0, nightly: 10)
        try require(reported >= least, "seed \(TestSeed.current): \(reported) of \(count) changed bits are reported")
    }

    /// Changes one bit of one file. Returns the size of the file.
    private func damage(_ home: URL, _ paths: [String], _ random: inout SeededGenerator) throws -> Int {
        let file = URL(fileURLWithPath: home.path + (paths.randomElement(using: &random) ?? ""))
        var data = try Data(contentsOf: file)
        guard !data.isEmpty else { return 0 }
        data[Int.random(in: 0..<data.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        try data.write(to: file)
        chmod(file.path, 0o600)
        return data.count
    }

    /// True if the store reports the damage. False if the damage is in unused bytes, so that the store has everything.
    private func isReported(_ place: URL, _ entries: [Outbox.Entry]) async throws -> Bool {
        let store = try open(place)
        guard let found = try? await store.load() else { return true }
        try require(
            found.entries.allSatisfy(entries.contains),
            "seed \(TestSeed.current): a damaged entry is taken for an entry")
        try require(
            found.unreadable > 0 || found.entries == entries,
            "seed \(TestSeed.current): entries are missing, and this is not reported")
        guard found.unreadable == 0 else { return true }
        guard let content = try? await content(entries[0].request.body, store) else { return true }
        try require(
            content == Data(count: 300_000), "seed \(TestSeed.current): a damaged file is taken for the file")
        return false
    }
}
