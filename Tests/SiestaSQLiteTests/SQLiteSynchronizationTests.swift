#if SQLite && os(Linux)
import CacheTorture
import Foundation
import SiestaCaches
import SiestaCore
import TestKit
import Testing

@testable import SiestaSQLite

/// The system calls that make writes survive a power failure.
@Suite(.serialized, .enabled(if: SystemTrace.isPossible, "strace is not installed"), .timeLimit(.test))
struct SQLiteSynchronizationTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    /// Returns the files that are synchronized by a number of batches, with or without a flush, in a store that was
    /// written and flushed before.
    private func calls(
        _ durability: EntityCacheOptions.Durability, batches: Int, flushes: Int, recordLength: Int = 1000
    ) async throws -> [String] {
        let (path, trace) = (folder.path + "/cache", folder.path + "/trace")
        try? FileManager.default.removeItem(atPath: path)
        let isSynchronous = durability == .everyWrite
        await #expect(processExitsWith: .success) {
            [
                path = path as String, trace = trace as String, isSynchronous = isSynchronous as Bool,
                batches = batches as Int, flushes = flushes as Int, recordLength = recordLength as Int
            ] in
            let store = SQLiteRecordStore(
                at: URL(fileURLWithPath: path), durability: isSynchronous ? .everyWrite : .onFlush)
            let key = { (number: Int) in RecordKey(partition: 0, name: UInt128(number)) }
            try await store.apply([.write(key(0), Data([1]))])
            try await store.flush()
            try SystemTrace.begin(trace, calls: "fsync,fdatasync")
            for batch in 0..<batches { try await store.apply([.write(key(batch), Data(count: recordLength))]) }
            for _ in 0..<flushes { try await store.flush() }
            _exit(0)
        }
        return try await SystemTrace.read(trace)
    }

    @Test func `With onFlush nothing is waited for until the flush, which synchronizes the log once`() async throws {
        #expect(try await calls(.onFlush, batches: 5, flushes: 0).isEmpty)
        #expect(try await calls(.onFlush, batches: 5, flushes: 1) == ["log"])
        #expect(try await calls(.onFlush, batches: 5, flushes: 3) == ["log"])
        #expect(try await calls(.onFlush, batches: 0, flushes: 1).isEmpty)
    }

    @Test func `With everyWrite the log is synchronized at every batch, and a flush has nothing to add`() async throws {
        #expect(try await calls(.everyWrite, batches: 5, flushes: 1) == Array(repeating: "log", count: 5))
    }

    @Test func `New folders are on the disk before the file is used`() async throws {
        let (path, trace) = (folder.path + "/a/b/cache", folder.path + "/trace")
        await #expect(processExitsWith: .success) { [path = path as String, trace = trace as String] in
            try SystemTrace.begin(trace, calls: "fsync,fdatasync")
            let store = SQLiteRecordStore(at: URL(fileURLWithPath: path))
            try await store.apply([.write(RecordKey(partition: 0, name: 0), Data([1]))])
            _exit(0)
        }
        let calls = try await SystemTrace.lines(of: trace).compactMap { $0.firstMatch(of: /sync\(\d+<(.*?)>/)?.1 }
        #expect(calls.prefix(2).elementsEqual([folder.path, folder.path + "/a"].map { $0[...] }))
    }

    @Test func `When the log goes into the file, the log is synchronized first, and then the file`() async throws {
        let calls = try await calls(.onFlush, batches: 10, flushes: 0, recordLength: 1 << 20)
        #expect(calls.prefix(2) == ["log", "file"])
    }
}

extension SystemTrace {
    /// Returns the names of the database's files that were synchronized, in order.
    fileprivate static func read(_ path: String) async throws -> [String] {
        try await lines(of: path).compactMap { line in
            guard let call = line.firstMatch(of: /sync\(\d+<.*\/cache(-wal)?>/) else { return nil }
            return call.1 == nil ? "file" : "log"
        }
    }
}
#endif
