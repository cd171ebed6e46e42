#if SQLite
import BareSQLite
import Foundation
import Siesta
import SiestaSQLite
import SiestaStorage

/// As many records as one transaction gets where the batches are not the cache's own.
private let batchLength = 1000

extension Workload {
    var file: URL { folder.appendingPathComponent("cache") }

    fileprivate var batches: [Range<Int>] {
        stride(from: 0, to: count, by: batchLength).map { $0..<min($0 + batchLength, count) }
    }
}

extension Subject {
    /// The store by itself, given the same bytes as SQLite in C.
    @MainActor
    func measureSQLiteStore(_ work: Workload) async throws -> Figure {
        let contents = (0..<work.count).map(work.content(_:))
        let keys = (0..<work.count).map { number in
            RecordKey(partition: 7, name: UInt128(mixed(number)) << 64 | UInt128(mixed(~number)))
        }
        let batches = work.batches.map { $0.map { RecordChange.write(keys[$0], contents[$0]) } }
        let store = SQLiteRecordStore(at: work.file)
        try await store.apply([])  // opens the database, as is done for the other one
        let start = now()
        for batch in batches { try await store.apply(batch) }
        let written = now()
        try await store.flush()
        var figure = Figure(write: written - start, flush: now() - written, read: 0, bytesOnDisk: work.bytesOnDisk)

        let reader = SQLiteRecordStore(at: work.file)
        let scattered = work.scattered.map { keys[$0] }
        let begin = now()
        var found = 0
        for key in scattered { found += try await reader.read([key]).count }
        let read = now()
        found += try await SQLiteRecordStore(at: work.file).read(Array(keys[..<1000])).count
        figure.read = (read - begin) / Double(scattered.count)
        figure.warm = now() - read
        precondition(found == 2000)
        return figure
    }

    private func mixed(_ number: Int) -> UInt64 {
        var mixed = UInt64(bitPattern: Int64(number)) &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// A table of keys and values, and neither uses, limits nor other processes to think of.
enum BareDatabase {
    @MainActor
    static func measure(_ work: Workload) throws -> Figure {
        let contents = (0..<work.count).map { work.content($0) as NSData }
        let pointers: [UnsafeRawPointer?] = contents.map(\.bytes)
        let database = bare_open(work.file.path)
        let write = seconds {
            for batch in work.batches {
                let values = Array(pointers[batch])
                bare_write(database, UInt64(batch.lowerBound), UInt64(batch.count), values, Int32(work.bytes))
            }
        }
        let flush = seconds { bare_flush(database) }
        withExtendedLifetime(contents) {}
        var figure = Figure(write: write, flush: flush, read: 0, bytesOnDisk: work.bytesOnDisk)
        figure.read = read(work)
        figure.warm = warm(work)
        bare_close(database)
        return figure
    }

    /// One after the other, with a database opened before.
    @MainActor
    private static func read(_ work: Workload) -> Double {
        let database = bare_open(work.file.path)
        defer { bare_close(database) }
        let buffer = UnsafeMutableRawPointer.allocate(byteCount: work.bytes, alignment: 8)
        defer { buffer.deallocate() }
        let scattered = work.scattered
        return seconds { for number in scattered { _ = bare_read(database, UInt64(number), buffer) } }
            / Double(scattered.count)
    }

    /// A thousand at once, with what it takes to open the database.
    @MainActor
    private static func warm(_ work: Workload) -> Double {
        let buffer = UnsafeMutableRawPointer.allocate(byteCount: work.bytes, alignment: 8)
        defer { buffer.deallocate() }
        return seconds {
            let database = bare_open(work.file.path)
            bare_begin(database)
            for number in 0..<1000 { _ = bare_read(database, UInt64(number), buffer) }
            bare_end(database)
            bare_close(database)
        }
    }
}
#endif
