import CacheTorture
import Foundation
import OutboxTorture
import SiestaCore
import TestKit
import Testing

@testable import SiestaCaches
@testable import SiestaOutboxStorage
@testable import SiestaWriting

@Suite(.timeLimit(.test))
struct RecordOutboxStoreTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private var url: URL { folder.url.appendingPathComponent("outbox") }

    private func store(key: UInt8? = nil) -> RecordOutboxStore {
        .files(at: url, sealing: key.map(TestSealing.init(key:)))
    }

    /// Returns what a store finds after a start. The store is released at the end.
    private func reloaded(key: UInt8? = nil) async throws -> OutboxContents { try await store(key: key).load() }

    private func records() -> [String] { folder.files.filter { $0.contains("entities-1") } }

    // MARK: Entries

    @Test(arguments: [nil, 7] as [UInt8?])
    func `Entries survive a restart in their order and their states`(key: UInt8?) async throws {
        let entries = (1...100).map { number in
            Outbox.Entry.stored(
                number, principal: [nil, "ada", ""][Int(number) % 3], body: .bytes(Data("body \(number)".utf8)))
        }
        do {
            let store = store(key: key)
            #expect(try await store.load().entries.isEmpty)
            for entry in entries.shuffled() { try await store.apply([.write(entry)]) }
            try await store.apply([
                .write(entries[10].with(.sending)), .remove(id: entries[20].id), .remove(id: "none"),
            ])
            try await store.apply([])
        }
        var expected = entries
        expected[10] = entries[10].with(.sending)
        expected.remove(at: 20)
        let found = try await reloaded(key: key)
        #expect(found.entries == expected)
        #expect(found.unreadable == 0)
    }

    @Test func `A store in memory keeps its entries`() async throws {
        let store = RecordOutboxStore.inMemory()
        try await store.apply([.write(.stored(1))])
        #expect(try await store.keep(Data(count: 5000)) == .bytes(Data(count: 5000)))
        #expect(try await store.load().entries == [.stored(1)])
    }

    @Test func `Each change writes one small record, whatever the number of entries`() async throws {
        let records = RecordingStore()
        let store = RecordOutboxStore(records, folder: nil)
        _ = try await store.load()
        try await store.apply((1...2000).map { .write(.stored($0)) })
        let before = records.journal.entries.count
        for number in UInt64(2001)...2100 { try await store.apply([.write(.stored(number))]) }
        for number in UInt64(1)...100 { try await store.apply([.write(.stored(number).with(.sending))]) }
        #expect(records.journal.entries[before...].allSatisfy { $0 == "apply 1" })
        #expect(records.journal.entries.count - before == 200)
        let usage = try await records.usage()
        #expect(usage.entries <= 2100 / OutboxSegment.capacity + 1)
        #expect(usage.bytes / usage.entries < 16_384)
    }

    @Test func `Places of removed entries are used again`() async throws {
        let records = RecordingStore()
        let store = RecordOutboxStore(records, folder: nil)
        for number in UInt64(1)...1000 {
            try await store.apply([.write(.stored(number))])
            if number > 50 { try await store.apply([.remove(id: "entry \(number - 50)")]) }
        }
        #expect(try await records.usage().entries <= 2)
        for number in UInt64(951)...1000 { try await store.apply([.remove(id: "entry \(number)")]) }
        #expect(try await records.usage().entries == 0)
    }

    @Test func `The changes of a call are stored in order, also if they concern several records`() async throws {
        let records = RecordingStore()
        let store = RecordOutboxStore(records, folder: nil)
        try await store.apply((1...40).map { .write(.stored($0)) })
        records.fail(.nothing)
        let before = records.journal.entries.count
        try await store.apply([
            .write(.stored(1).with(.sending)), .write(.stored(2).with(.sending)), .remove(id: "entry 40"),
            .write(.stored(3).with(.sending)),
        ])
        #expect(records.journal.entries.count - before == 3, "two changes of one record are one write")
    }

    @Test func `After a failed write, the next call makes the store agree with the calls that succeeded`() async throws
    {
        let records = RecordingStore()
        let store = RecordOutboxStore(records, folder: nil)
        try await store.apply([.write(.stored(1))])
        let key = try #require(try await records.allKeys().first)
        records.fail()
        await #expect(throws: RecordingStore.Refusal.self) { try await store.apply([.write(.stored(2))]) }
        records.fail(false)
        // The failed write may have replaced the record nevertheless.
        try await records.apply([.write(key, Data("the failed write".utf8))])
        try await store.apply([.write(.stored(3, principal: "ada"))])
        let found = try await RecordOutboxStore(records.records, folder: nil).load()
        #expect(found.entries == [.stored(1), .stored(3, principal: "ada")])
        #expect(found.unreadable == 0)
    }

    @Test func `Calls at the same time are carried out one after another`() async throws {
        let records = RecordingStore()
        let store = RecordOutboxStore(records, folder: nil)
        _ = try await store.load()
        records.hold()
        async let first: Void = store.apply([.write(.stored(1))])
        async let second: Void = store.apply([.write(.stored(2))])
        await records.journal.wait(for: "held 1")
        for _ in 0..<1000 { await Task.yield() }  // The other call must not use the places that the first uses.
        records.release()
        _ = try await (first, second)
        await withTaskGroup(of: Void.self) { group in
            for number in UInt64(3)...200 { group.addTask { try? await store.apply([.write(.stored(number))]) } }
        }
        let found = try await RecordOutboxStore(records.records, folder: nil).load()
        #expect(found.entries == (1...200).map { .stored($0) })
    }

    // MARK: Secrets

    @Test func `A sealed store contains no plain text, and a plain store does`() async throws {
        for key in [7, nil] as [UInt8?] {
            let source = folder.url.appendingPathComponent("source")
            try Data("a secret file of some length".utf8).write(to: source)
            let store = store(key: key)
            let body = try await store.keep(fileAt: source)
            try FileManager.default.removeItem(at: source)
            try await store.apply([
                .write(.stored(1, principal: "secret ada", scope: "secret scope", body: .bytes(Data("secret".utf8)))),
                .write(.stored(2, body: body)),
            ])
            let all = try folder.files.map { try Data(contentsOf: folder.url.appendingPathComponent($0)) }
            for text in ["secret", "api.test", "PATCH"] {
                #expect(all.contains { $0.range(of: Data(text.utf8)) != nil } == (key == nil), "\(text)")
            }
            #expect(!folder.files.joined().contains("secret"))
            try FileManager.default.removeItem(at: url)
        }
    }

    @Test func `Without the key, entries are counted and kept, and plain entries are not accepted`() async throws {
        do {
            let store = store(key: 7)
            try await store.apply([.write(.stored(1)), .write(.stored(2, principal: "ada"))])
        }
        for key in [nil, 8] as [UInt8?] {
            do {
                let store = store(key: key)
                #expect(try await store.load().unreadable == (key == nil ? 2 : 3))
                try await store.apply([.write(.stored(3 + UInt64(key ?? 0)))])
            }
            #expect(try await reloaded(key: key).entries.count == 1)
        }
        let found = try await reloaded(key: 7)
        #expect(found.entries == [.stored(1), .stored(2, principal: "ada")])
        #expect(found.unreadable == 2, "one is plain, and the other has another key")
    }

    @Test func `A record in the place of another is not read`() async throws {
        do { try await store().apply([.write(.stored(1, principal: "ada")), .write(.stored(2, principal: "bob"))]) }
        let paths = records().map { folder.url.appendingPathComponent($0) }
        try #require(paths.count == 2)
        try Data(contentsOf: paths[0]).write(to: paths[1])
        let found = try await reloaded()
        #expect(found.entries.count == 1)
        #expect(found.unreadable == 1)
    }

    // MARK: One outbox for a folder

    @Test func `A second outbox for the same folder is refused, until the first is released`() async throws {
        do {
            let first = store()
            _ = try await first.load()
            await #expect(throws: OutboxInUse(path: url.path)) { try await store().load() }
            await #expect(throws: OutboxInUse.self) { try await store().apply([.write(.stored(1))]) }
            await #expect(throws: OutboxInUse.self) { try await store().keep(Data(count: 9999)) }
            try await first.apply([.write(.stored(2))])
        }
        #expect(try await reloaded().entries == [.stored(2)])
    }

    @Test func `A second process is refused`() async throws {
        let first = store()
        try await first.apply([.write(.stored(1))])
        let path = url.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            do {
                _ = try await RecordOutboxStore.files(at: URL(fileURLWithPath: path)).load()
                exit(1)
            } catch let error as OutboxInUse {
                exit(error.path == path && error.localizedDescription.contains(path) ? 0 : 2)
            }
        }
        try await first.apply([.write(.stored(2))])
    }

    @Test(arguments: ["", "/files", "/lock"])
    func `If a part of the folder is moved away, the outbox accepts nothing, and leaves the folder to others`(
        part: String
    ) async throws {
        let first = store()
        try await first.apply([.write(.stored(1))])
        try FileManager.default.moveItem(atPath: url.path + part, toPath: folder.path + "/moved")
        await #expect(throws: FileSystemError.self) { try await first.apply([.write(.stored(2))]) }
        await #expect(throws: FileSystemError.self) { try await first.keep(Data(count: 5000)) }
        #expect(!FileManager.default.fileExists(atPath: url.path + part))
        await first.close()

        let second = store()
        try await second.apply([.write(.stored(3))])
        await second.close()
        #expect(try await reloaded().entries == (part.isEmpty ? [.stored(3)] : [.stored(1), .stored(3)]))
    }

    @Test(arguments: ["", "/lock"])
    func `An outbox whose folder or lock was replaced does not write into the folder of another outbox`(
        part: String
    ) async throws {
        let first = store()
        try await first.apply([.write(.stored(1))])
        try FileManager.default.moveItem(atPath: url.path + part, toPath: folder.path + "/moved")
        let second = store()
        try await second.apply([.write(.stored(2))])
        await #expect(throws: FileSystemError.self) { try await first.apply([.write(.stored(3))]) }
        await second.close()
        #expect(try await reloaded().entries.last == .stored(2))
    }

    @Test func `A folder that others can change is refused`() async throws {
        do { try await store().apply([.write(.stored(1))]) }
        chmod(url.path, 0o777)
        await #expect(throws: FileSystemError.self) { try await reloaded() }
    }

    /// Stores an entry with a body in a file.
    private func storeBody() async throws -> Outbox.Body {
        let store = store()
        let body = try await store.keep(Data(count: 2000))
        try await store.apply([.write(.stored(1, body: body))])
        return body
    }

    @Test func `An outbox with a partition that cannot be listed does not open, and keeps the files of its bodies`()
        async throws
    {
        let body = try await storeBody()
        let name = try #require(body.keptName)
        let record = folder.url.appendingPathComponent(try #require(records().first))
        let partition = record.deletingLastPathComponent().path
        chmod(partition, 0o777)
        await #expect(throws: FileSystemError.self) { try await reloaded() }
        #expect(folder.files.contains("outbox/files/\(name)"))
        chmod(partition, 0o700)
        let again = store()
        #expect(try await again.load().entries == [.stored(1, body: body)])
        #expect(try await content(name, again) == Data(count: 2000))
    }

    // MARK: Files

    private func content(_ name: String, _ store: RecordOutboxStore) async throws -> Data {
        var all = Data()
        for try await piece in store.pieces(of: name) { all += piece }
        return all
    }

    @Test(arguments: [nil, 7] as [UInt8?], [0, 1, 1025, 262_144, 700_001])
    func `Copied files and large bodies have their content, and live as long as their entries`(
        key: UInt8?, length: Int
    ) async throws {
        let data = Data((0..<length).map { UInt8(truncatingIfNeeded: $0 / 251) })
        let source = folder.url.appendingPathComponent("source")
        try data.write(to: source)
        let store = store(key: key)
        let body = try await store.keep(fileAt: source)
        try FileManager.default.removeItem(at: source)
        let name = try #require(body.keptName)
        #expect(body == .kept(name: name, length: Int64(length)))
        #expect(try await content(name, store) == data)
        let location = try await store.url(of: name)
        #expect((location == nil) == (key != nil))
        if let location { #expect(try Data(contentsOf: location) == data) }

        let large = try await store.keep(data)
        #expect((large == .bytes(data)) == (length <= RecordOutboxStore.inlineLimit))
        try await store.apply([.write(.stored(1, body: body)), .write(.stored(2, body: large))])
        try await store.apply([.write(.stored(1, body: body).with(.sending))])
        #expect(try await content(name, store) == data)
        try await store.apply([.write(.stored(1, body: .none))])
        await #expect(throws: FileSystemError.self) { try await content(name, store) }
        try await store.apply([.remove(id: "entry 2")])
        #expect(folder.files.filter { $0.contains("/files/") }.isEmpty)
    }

    /// Replaces the content of a file while the file is copied.
    private struct ChangingSealing: EntitySealing {
        let file: URL
        let content: Data
        private let base = TestSealing(key: 7)

        var keyIdentifier: String { base.keyIdentifier }

        init(file: URL, content: Data) { (self.file, self.content) = (file, content) }

        func seal(_ plain: Data, context: Data) throws -> Data {
            try content.write(to: file)
            return try base.seal(plain, context: context)
        }

        func open(_ sealed: Data, context: Data) throws -> Data { try base.open(sealed, context: context) }
    }

    @Test func `A file that is changed while it is copied is refused`() async throws {
        let source = folder.url.appendingPathComponent("source")
        try Data(count: 700_001).write(to: source)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: source.path)
        let sealing = ChangingSealing(file: source, content: Data(repeating: 1, count: 700_001))
        let store = RecordOutboxStore.files(at: url, sealing: sealing)
        await #expect(throws: RequestError.Failure.self) { try await store.keep(fileAt: source) }
        #expect(folder.files.filter { $0.contains("/files/") }.isEmpty)
    }

    @Test func `A URL that is not that of a file is refused, even if its path is`() async throws {
        let source = folder.url.appendingPathComponent("source")
        try Data(count: 2000).write(to: source)
        let other = try #require(URL(string: "https://api.test" + source.path))
        await #expect(throws: RequestError.Failure.self) { try await store().keep(fileAt: other) }
    }

    @Test func `Files without an entry are removed at the start, unless an entry cannot be read`() async throws {
        let names: [String]
        do {
            let store = store()
            let (used, unused) = (try await store.keep(Data(count: 2000)), try await store.keep(Data(count: 2000)))
            names = [used, unused].compactMap(\.keptName)
            try await store.apply([.write(.stored(1, body: used)), .write(.stored(2, principal: "ada"))])
        }
        let record = try #require(records().first)
        let path = folder.url.appendingPathComponent(record)
        let good = try Data(contentsOf: path)
        try Data().write(to: path)
        try Data().write(to: url.appendingPathComponent("files/\(names[0]).new"))
        #expect(try await reloaded().unreadable == 1)
        #expect(folder.files.filter { $0.contains("/files/") }.count == 2)
        try good.write(to: path)
        #expect(try await reloaded().unreadable == 0)
        #expect(folder.files.filter { $0.contains("/files/") } == ["outbox/files/\(names[0])"])
    }

    @Test func `An entry never leads to files outside the folder`() async throws {
        let victim = folder.url.appendingPathComponent("victim")
        try Data("precious".utf8).write(to: victim)
        let store = store()
        let body = Outbox.Body.kept(name: "../../victim", length: 8)
        try await store.apply([.write(.stored(1, body: body))])
        await #expect(throws: FileSystemError.self) { try await content("../../victim", store) }
        await #expect(throws: FileSystemError.self) { try await store.url(of: "../../victim") }
        try await store.apply([.remove(id: "entry 1")])
        try await store.discard(body)
        #expect(FileManager.default.fileExists(atPath: victim.path))
    }

    @Test func `A sealed file that was cut, changed or replaced is an error`() async throws {
        let store = store(key: 7)
        let bodies = [try await store.keep(Data(count: 600_000)), try await store.keep(Data(count: 600_000))]
        let names = bodies.compactMap(\.keptName)
        let files = names.map { url.appendingPathComponent("files/\($0)") }
        let good = try Data(contentsOf: files[0])
        var changed = good
        changed[300_000] ^= 1
        for bad in [changed, good.prefix(262_156), good.prefix(100), Data(), try Data(contentsOf: files[1])] {
            try bad.write(to: files[0])
            chmod(files[0].path, 0o600)
            await #expect(throws: (any Error).self) { try await content(names[0], store) }
        }
        try good.write(to: files[0])
        #expect(try await content(names[0], store) == Data(count: 600_000))
    }

    @Test func `What stands in the place of a record is counted, and keeps its place and the files of its bodies`()
        async throws
    {
        let body = try await storeBody()
        let name = try #require(body.keptName)
        let record = folder.url.appendingPathComponent(try #require(records().first))
        let moved = folder.url.appendingPathComponent("moved")
        try FileManager.default.moveItem(at: record, to: moved)
        try FileManager.default.createSymbolicLink(at: record, withDestinationURL: moved)
        do {
            let store = store()
            #expect(try await store.load().unreadable == 1)
            try await store.apply([.write(.stored(2))])
        }
        #expect(folder.files.contains("outbox/files/\(name)"))
        try FileManager.default.removeItem(at: record)
        try FileManager.default.moveItem(at: moved, to: record)
        #expect(try await reloaded().entries == [.stored(1, body: body), .stored(2)])
    }

    @Test func `A record that cannot be discarded does not keep others from being stored`() async throws {
        do { try await store().apply([.write(.stored(1))]) }
        let record = folder.url.appendingPathComponent(try #require(records().first))
        try FileManager.default.removeItem(at: record)
        try FileManager.default.createDirectory(at: record, withIntermediateDirectories: false)
        do {
            let store = store()
            #expect(try await store.load().unreadable == 1)
            await #expect(throws: (any Error).self) { try await store.discardUnreadable() }
            try await store.apply([.write(.stored(2))])
        }
        let found = try await reloaded()
        #expect(found.entries == [.stored(2)])
        #expect(found.unreadable == 1)
    }
}
