#if SQLite && os(Linux)
import CacheTorture
import Foundation
import OutboxTorture
import SiestaCaches
import SiestaCore
import SiestaOutboxStorage
import SiestaWriting
import TestKit
import Testing

@testable import SiestaSQLite

/// An outbox on a full disk: a small file system in memory. Needs the permission to mount.
@Suite(.serialized, .enabled(if: SmallDisk.isPossible, "mounting is not permitted"), .timeLimit(.test))
struct SQLiteOutboxFullDiskTests {
    @Test func `A full disk is an error, and loses no accepted change; when there is room again, changes are accepted`()
        async throws
    {
        let disk = try SmallDisk()
        let file = disk.folder.url.appendingPathComponent("changes")
        var accepted: [Outbox.Entry] = []
        var failures = 0
        do {
            let store = RecordOutboxStore.sqlite(at: file)
            let accept = { (number: UInt64) in
                let entry = Outbox.Entry.stored(number, principal: "\(number % 4)", body: .bytes(Data(count: 1000)))
                do {
                    try await store.apply([.write(entry)])
                    accepted.append(entry)
                } catch let error as SQLiteError {
                    #expect(error.path == file.path)
                    failures += 1
                }
            }
            for number in UInt64(1)...4 { try await accept(number) }
            try #require(accepted.count == 4)
            disk.fill()
            for number in UInt64(5)...40 { try await accept(number) }
            await #expect(throws: (any Error).self) { try await store.keep(Data(count: 600_000)) }
            #expect(failures > 20)
            let before = accepted.count
            try FileManager.default.removeItem(atPath: disk.folder.path + "/filler")
            try await accept(41)
            #expect(accepted.count == before + 1)
            await store.close()
        }
        Connection.waitForClosing()
        let found = try await RecordOutboxStore.sqlite(at: file).load()
        #expect(found.entries == accepted)
        #expect(found.unreadable == 0)
    }
}

/// The system calls that make the changes of an outbox survive a power failure.
@Suite(.serialized, .enabled(if: SystemTrace.isPossible, "strace is not installed"), .timeLimit(.test))
struct SQLiteOutboxSynchronizationTests {
    @Test func `The first change and each later change are on the disk when they are accepted`() async throws {
        let folder = try TestFolder()
        let (path, trace) = (folder.path + "/changes", folder.path + "/trace")
        await #expect(processExitsWith: .success) { [path = path as String, trace = trace as String] in
            try SystemTrace.begin(trace, calls: "fsync,fdatasync,access")
            let store = RecordOutboxStore.sqlite(at: URL(fileURLWithPath: path))
            for number in UInt64(1)...5 {
                try await store.apply([.write(.stored(number))])
                access("/accepted", F_OK)
            }
            _exit(0)
        }
        var synchronized: Set<String> = []
        var accepted = 0
        for line in try await SystemTrace.lines(of: trace) {
            if let name = line.firstMatch(of: /sync\(\d+<(.*?)>/)?.1 { synchronized.insert(String(name)) }
            guard line.contains("\"/accepted\"") else { continue }
            accepted += 1
            #expect(synchronized.contains(path + "-wal"), "change \(accepted)")
            if accepted == 1 { #expect(synchronized.contains(folder.path), "the names of the files") }
            synchronized = []
        }
        #expect(accepted == 5)
    }
}
#endif
