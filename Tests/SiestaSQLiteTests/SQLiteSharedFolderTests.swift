#if SQLite
import CSQLite
import CacheTorture
import Foundation
import SiestaCaches
import SiestaCore
import TestKit
import Testing
import Waiting

@testable import SiestaSQLite

/// A database in a folder that other users can write to, or in which they have planted files.
@Suite(.timeLimit(.model))
struct SQLiteSharedFolderTests {
    private let folder: TestFolder
    private let intruder: Intruder
    private let home: String
    private let key = RecordKey(partition: 1, name: 2)
    private let record = Data("content".utf8)

    init() throws {
        folder = try TestFolder()
        home = folder.path + "/home"
        mkdir(home, 0o700)
        intruder = try Intruder(in: folder.url, files: ["cache", "cache-wal", "cache-shm", "cache-journal"])
    }

    private var path: String { home + "/cache" }

    private func store(_ path: String? = nil) -> SQLiteRecordStore {
        SQLiteRecordStore(at: URL(fileURLWithPath: path ?? self.path))
    }

    private func fill() async throws {
        try await store().apply([.write(key, record)])
        // The queue of the store may still have a reference to it. SQLite removes the log with the last connection.
        try await Poll.until {
            Connection.waitForClosing()
            return !FileManager.default.fileExists(atPath: path + "-wal")
        }
    }

    /// Calls all functions, and returns their errors.
    private func failures(of store: SQLiteRecordStore) async -> [SQLiteError?] {
        [
            await failure { _ = try await store.read([key]) },
            await failure { try await store.apply([.write(key, record)]) },
            await failure { try await store.apply([.removeAll]) },
            await failure { _ = try await store.usage() },
            await failure { _ = try await store.allKeys() },
            await failure { try await store.compact() },
            await failure { try await SQLiteRecordStore(at: store.url).flush() },
        ]
    }

    private func failure(_ work: () async throws -> Void) async -> SQLiteError? {
        do {
            try await work()
            return nil
        } catch {
            return error as? SQLiteError
        }
    }

    enum Defect: CaseIterable {
        case owner, groupCanWrite, othersCanWrite, sticky, link

        var remedy: String {
            switch self {
            case .owner: "change the owner"
            case .groupCanWrite, .othersCanWrite, .sticky: "chmod go-w"
            case .link: "symbolic link"
            }
        }
    }

    @Test(arguments: Defect.allCases, [false, true])
    func `A folder that others own or can change is refused, and the error names it and the remedy`(
        defect: Defect, isFilled: Bool
    ) async throws {
        guard defect != .owner || Intruder.canGiveAway else { return }
        if isFilled { try await fill() }
        switch defect {
        case .owner: Intruder.giveAway(home)
        case .groupCanWrite: chmod(home, 0o770)
        case .othersCanWrite: chmod(home, 0o707)
        case .sticky: chmod(home, 0o1777)
        case .link:
            rename(home, home + "-moved")
            symlink(home + "-moved", home)
        }
        let before = folder.files
        for error in await failures(of: store()) {
            #expect(error?.path == path)
            #expect(error?.message.contains(home) == true)
            #expect(error?.message.contains(defect.remedy) == true)
        }
        #expect(folder.files == before)
    }

    enum Plant: CaseIterable {
        case link, secondName, owner, othersCanWrite, folder, pipe
    }

    @Test(arguments: Plant.allCases, ["", "-wal", "-shm", "-journal"])
    func `What others can have put in the place of the file, or beside it, is neither written nor read`(
        plant: Plant, suffix: String
    ) async throws {
        guard plant != .owner || Intruder.canGiveAway else { return }
        try await fill()
        let planted = path + suffix
        let other = folder.path + "/other"
        if FileManager.default.fileExists(atPath: planted) {
            try FileManager.default.moveItem(atPath: planted, toPath: other)
        } else {
            try Data("precious".utf8).write(to: URL(fileURLWithPath: other))
        }
        let content = try Data(contentsOf: URL(fileURLWithPath: other))
        switch plant {
        case .link: symlink(other, planted)
        case .secondName: link(other, planted)
        case .owner, .othersCanWrite:
            try content.write(to: URL(fileURLWithPath: planted))
            if plant == .owner { Intruder.giveAway(planted) } else { chmod(planted, 0o666) }
        case .folder: mkdir(planted, 0o700)
        case .pipe: mkfifo(planted, 0o600)
        }
        for error in await failures(of: store()) { #expect(error?.message.contains(planted) == true) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: other)) == content)
    }

    @Test
    func `Links on the way are followed if they are the user's own, and not if they are another's`() async throws {
        try await fill()
        let way = folder.path + "/way"
        symlink(folder.path, way)
        #expect(try await store(way + "/home/cache").read([key]) == [key: record])
        guard Intruder.canGiveAway else { return }
        Intruder.giveAway(way)
        #expect(await failure { _ = try await store(way + "/home/cache").read([key]) }?.message.contains(way) == true)
    }

    @Test func `A database that others could read is for the user alone from the first use on`() async throws {
        try await fill()
        chmod(path, 0o644)
        #expect(try await store().read([key]) == [key: record])
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func `A file that becomes a link while it is in use is not followed`() async throws {
        let store = store()
        try await store.apply([.write(key, record)])
        #expect(try await store.read([key]) == [key: record])
        for suffix in ["", "-wal", "-shm"] { try intruder.plantLink(at: path + suffix, to: "cache" + suffix) }
        _ = await failures(of: store)
        #expect(intruder.isVictimUnharmed)
    }

    @Test func `A link in the place of a database that was put aside is replaced, and not followed`() async throws {
        try await fill()
        try intruder.plantLink(at: path + "-damaged", to: "cache")
        try Data(repeating: 7, count: 9000).write(to: URL(fileURLWithPath: path))
        #expect(try await store().read([key]).isEmpty)
        try await store().compact()
        #expect(intruder.isVictimUnharmed)
    }
}
#endif
