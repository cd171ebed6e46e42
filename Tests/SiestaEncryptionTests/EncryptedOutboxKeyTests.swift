#if Encryption && SQLite
import CacheTorture
import Foundation
import SiestaEncryption
import SiestaSQLite
import TestKit
import Testing
import Waiting

import SiestaCore
import SiestaWriting
@testable import SiestaCaches
@testable import SiestaOutboxStorage

/// Outboxes whose encryption gets a new key.
@Suite(.timeLimit(.model))
struct EncryptedOutboxKeyTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    enum Place: CaseIterable {
        case folder, database
    }

    private static let file = Data(repeating: 42, count: 600_000)

    private func using<Result: Sendable>(
        _ place: Place, key: UInt8, former: [UInt8] = [], _ work: (RecordOutboxStore) async throws -> Result
    ) async throws -> Result {
        let url = folder.url.appendingPathComponent("outbox")
        let keys = ([key] + former).map { Data(repeating: $0, count: 32) }
        let sealing = try AESGCMSealing(key: keys[0], formerKeys: Array(keys.dropFirst()))
        let result: Result
        do {
            let store: RecordOutboxStore =
                switch place {
                case .folder: .files(at: url, sealing: sealing)
                case .database: .sqlite(at: url, sealing: sealing)
                }
            result = try await work(store)
        }
        // SQLite removes the log when it closes the last connection.
        try await Poll.until { !FileManager.default.fileExists(atPath: url.path + "-wal") }
        return result
    }

    @Test(arguments: Place.allCases)
    func `After a start with a new key, entries and files need no former key`(place: Place) async throws {
        var plain = Outbox.Entry(
            id: "1", scope: "a", principal: "ada",
            request: Outbox.StoredRequest(method: "PUT", address: .url("http://api.test")))
        plain.number = 1
        let entries = try await using(place, key: 1) { [plain] store in
            var large = Outbox.Entry(
                id: "2", scope: "b",
                request: Outbox.StoredRequest(
                    method: "PUT", address: .url("http://api.test"), body: try await store.keep(Self.file)))
            large.number = 2
            try await store.apply([.write(plain), .write(large)])
            return [plain, large]
        }
        #expect(try await using(place, key: 2, former: [1]) { try await $0.load().entries } == entries)
        try await using(place, key: 2) { store in
            #expect(try await store.load().entries == entries)
            var content = Data()
            for try await piece in store.pieces(of: try #require(entries[1].request.body.keptName)) { content += piece }
            #expect(content == Self.file)
        }
        #expect(try await using(place, key: 1) { try await $0.load().unreadable } == 2)
        #expect(!folder.files.contains { $0.hasSuffix(".new") })
    }

    @Test(arguments: Place.allCases)
    func `A file that could not be sealed again is sealed at a later start, also if its entry was written`(
        place: Place
    ) async throws {
        let entry = try await using(place, key: 1) { store in
            var entry = Outbox.Entry(
                id: "1", scope: "a",
                request: Outbox.StoredRequest(
                    method: "PUT", address: .url("http://api.test"), body: try await store.keep(Self.file)))
            entry.number = 1
            try await store.apply([.write(entry)])
            return entry
        }
        let name = try #require(entry.request.body.keptName)
        // A folder in the place of the new file prevents that the file is sealed again, as a full disk does.
        let files = folder.url.appendingPathComponent(place == .folder ? "outbox/files" : "outbox-outbox/files")
        let obstacle = files.appendingPathComponent(name + ".new")
        try FileManager.default.createDirectory(at: obstacle, withIntermediateDirectories: false)
        try await using(place, key: 2, former: [1]) { store in
            _ = try await store.load()
            try await store.apply([.write(entry)])
        }
        try? FileManager.default.removeItem(at: obstacle)
        try await using(place, key: 2, former: [1]) { _ = try await $0.load() }
        try await using(place, key: 2) { store in
            #expect(try await store.load().entries == [entry])
            var content = Data()
            for try await piece in store.pieces(of: name) { content += piece }
            #expect(content == Self.file)
        }
    }
}
#endif
