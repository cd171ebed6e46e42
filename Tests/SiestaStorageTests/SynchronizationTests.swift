#if os(Linux)
import CacheTorture
import Foundation
import SiestaTesting
import TestKit
import Testing

import SiestaCore
@testable import SiestaCaches

/// The system calls that make writes survive a power failure.
///
/// A test cannot cut the power. It can check the order of the calls: a file is written to the disk before it gets its
/// name, or at the flush; afterwards, the folder that contains the name is written.
@Suite(.serialized, .enabled(if: SystemTrace.isPossible, "strace is not installed"), .timeLimit(.test))
struct SynchronizationTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private func calls(_ durability: EntityCacheOptions.Durability, writes: Int, flushes: Bool) async throws -> [String]
    {
        let (path, trace) = (folder.path + "/cache", folder.path + "/trace")
        let isSynchronous = durability == .everyWrite
        await #expect(processExitsWith: .success) {
            [
                path = path as String, trace = trace as String, isSynchronous = isSynchronous as Bool,
                writes = writes as Int, flushes = flushes as Bool
            ] in
            let store = FileRecordStore(
                folder: URL(fileURLWithPath: path), durability: isSynchronous ? .everyWrite : .onFlush)
            let storage = CacheStorage(store)
            let keys = (0..<writes).map { CacheKey(principal: "", address: "\($0)", coding: .data) }
            let entity = Entity<Any>(content: Data([1]), headers: [:])
            // Creates the folders before the recording begins.
            storage.write(entity, forKey: CacheKey(principal: "", address: "first", coding: .data))
            try await storage.flush()
            try SystemTrace.begin(trace)
            for key in keys { storage.write(entity, forKey: key) }
            _ = await storage.statistics()
            if flushes { try await storage.flush() }
            exit(0)
        }
        return try await SystemTrace.read(trace)
    }

    @Test func `With onFlush nothing is waited for until the flush, which writes each file and then its folder`()
        async throws
    {
        #expect(try await calls(.onFlush, writes: 2, flushes: false) == ["rename", "rename"])
        #expect(
            try await calls(.onFlush, writes: 2, flushes: true)
                == ["rename", "rename", "fsync file", "fsync file", "fsync folder"])
    }

    @Test func `A flush of many files is one call for the whole file system`() async throws {
        let calls = try await calls(.onFlush, writes: 100, flushes: true)
        #expect(calls == Array(repeating: "rename", count: 100) + ["syncfs"])
    }

    @Test func `With everyWrite each file is on the disk before it gets its name, and the name after each batch`()
        async throws
    {
        let calls = try await calls(.everyWrite, writes: 1, flushes: false)
        #expect(calls == ["fsync new file", "rename", "fsync folder"])
        let many = try await self.calls(.everyWrite, writes: 50, flushes: true)
        #expect(many.count { $0 == "fsync new file" } == 50)
        #expect(many.last == "fsync folder")
        for (call, next) in zip(many, many.dropFirst()) where next == "rename" { #expect(call == "fsync new file") }
    }

    @Test func `A partition that is made again is on the disk after the batch`() async throws {
        let (path, trace) = (folder.path + "/cache", folder.path + "/trace")
        await #expect(processExitsWith: .success) { [path = path as String, trace = trace as String] in
            let store = FileRecordStore(folder: URL(fileURLWithPath: path), durability: .everyWrite)
            let key = CacheKey(principal: "", address: "a", coding: .data).storeKey
            try await store.apply([.write(key, Data([1])), .remove(key)])
            try await store.compact()
            try SystemTrace.begin(trace)
            try await store.apply([.write(key, Data([2]))])
            exit(0)
        }
        let lines = try await SystemTrace.lines(of: trace)
        #expect(lines.contains { $0.firstMatch(of: /fsync\(\d+<[^>]*\/entities-1>/) != nil })
    }
}

extension SystemTrace {
    fileprivate static func begin(_ path: String) throws {
        try begin(path, calls: "fsync,fdatasync,syncfs,rename,renameat,renameat2")
    }

    /// Returns the system calls of the cache in order, in a short form.
    fileprivate static func read(_ path: String) async throws -> [String] {
        try await lines(of: path).compactMap { line in
            if line.contains("/cache/"), line.contains(" rename") { return "rename" }
            guard let call = line.firstMatch(of: /(fsync|syncfs)\(\d+<(.*?\/cache.*?)>/) else { return nil }
            guard call.1 == "fsync" else { return "syncfs" }
            return call.2.contains("/new/") ? "fsync new file" : isFile(call.2) ? "fsync file" : "fsync folder"
        }
    }

    /// Returns true if the path is that of a record: two names of 32 digits.
    private static func isFile(_ path: Substring) -> Bool {
        path.split(separator: "/").suffix(2).allSatisfy { $0.utf8.count == 32 }
    }
}
#endif
