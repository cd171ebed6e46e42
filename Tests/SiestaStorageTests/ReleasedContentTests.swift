import CacheTorture
import Dispatch
import Foundation
import Isolation
import LoopbackServer
import SiestaCore
import SiestaTesting
import TestKit
import Testing

@testable import SiestaCaches

/// Storages, stores and streams may drop objects of the app, whose deinitialisers may call any function. Such objects
/// must be released while no lock is held.
@Suite(.timeLimit(.test))
struct ReleasedContentTests {
    /// Records for each release whether another thread could take a lock during it.
    private final class Releases: Sendable {
        let first = Gate()
        private let found = Locked<[Bool]>([])

        var all: [Bool] { found.withLock { $0 } }

        func note(_ lock: @escaping @Sendable () -> Void) {
            let isFree = DispatchSemaphore(value: 0)
            Thread.detachNewThread {  // A queue might have no thread to spare.
                lock()
                isFree.signal()
            }
            let result = isFree.wait(timeout: .now() + 60) == .success
            found.withLock { $0.append(result) }
            first.open()
        }
    }

    /// An object of the app.
    private final class Content: Error {
        private let onRelease: @Sendable () -> Void

        init(onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }

        deinit { onRelease() }
    }

    private let releases = Releases()

    private func isReleased() async -> [Bool] {
        await releases.first.wait()
        return releases.all
    }

    // MARK: Storages

    enum Change: CaseIterable {
        case written, replaced, removed, principalRemoved, cleared
    }

    private func key(_ address: String) -> CacheKey {
        CacheKey(principal: "ada", address: address, coding: .data)
    }

    @Test(arguments: Change.allCases)
    func `A storage releases content without its lock`(_ change: Change) async throws {
        let store = RecordingStore()
        let storage = CacheStorage(store)
        let plain = Entity<Any>(content: Data(), headers: [:], timestamp: 1)
        store.hold()
        storage.write(plain, forKey: key("first"))
        await store.journal.wait(for: "held 1")
        let content = Content { [releases] in releases.note { storage.state.withLock { _ in } } }
        storage.write(Entity<Any>(content: content, headers: [:], timestamp: 1), forKey: key("x"))
        try await makeChange(change, in: storage, plain, releasing: consume content)
        store.release()
        try await storage.flush()
        #expect(await isReleased() == [true])
    }

    private func makeChange(
        _ change: Change, in storage: CacheStorage, _ plain: Entity<Any>, releasing content: consuming Content
    ) async throws {
        _ = consume content
        switch change {
        case .written: break
        case .replaced: storage.write(plain, forKey: key("x"))
        case .removed: storage.remove(key("x"))
        case .principalRemoved: storage.removeAll(of: "ada")
        case .cleared:
            Task { @MainActor in try await storage.clear() }
            // It has been called once reads do not find the entities. The store is still held.
            while await contains(storage, key("first")) { await mainQueueTurn() }
        }
    }

    private func contains(_ storage: CacheStorage, _ key: CacheKey) async -> Bool {
        await withCheckedContinuation { continuation in
            storage.read(key, clock: TestClock(wallTime: 1).clock) { continuation.resume(returning: $0.value != nil) }
        }
    }

    @Test func `A storage releases the error of a store without its lock`() async throws {
        let store = FailingStore()
        let storage = CacheStorage(store)
        store.error.withLock { [releases] in
            $0 = Content { releases.note { storage.state.withLock { _ in } } }
        }
        storage.write(Entity<Any>(content: Data(), headers: [:], timestamp: 1), forKey: key("x"))
        await #expect(throws: (any Error).self) { try await storage.flush() }
        _ = store.error.withLock { $0.take() }
        storage.write(Entity<Any>(content: Data(), headers: [:], timestamp: 1), forKey: key("x"))
        try await storage.flush()
        #expect(await isReleased() == [true])
    }

    @Test func `A storage asks the error of a store for its description without its lock`() async throws {
        let store = FailingStore()
        let storage = CacheStorage(store)
        store.error.withLock { [releases] in
            $0 = Described { releases.note { storage.state.withLock { _ in } } }
        }
        storage.write(Entity<Any>(content: Data(), headers: [:], timestamp: 1), forKey: key("x"))
        await #expect(throws: Described.self) { try await storage.flush() }
        #expect(Set(await isReleased()) == [true])
        #expect(await storage.statistics().lastFailure == "described")
    }

    /// An error whose description runs code of the app.
    private struct Described: LocalizedError {
        let onDescription: @Sendable () -> Void

        var errorDescription: String? {
            onDescription()
            return "described"
        }
    }

    /// A store that throws an error while it has one.
    private final class FailingStore: RecordStore {
        let error = Locked<(any Error)?>(nil)
        private let records = MemoryRecordStore()

        var name: String { "failing" }

        func read(_ keys: [RecordKey]) async throws -> [RecordKey: Data] { try await records.read(keys) }

        func apply(_ changes: [RecordChange]) async throws {
            if let error = error.withLock({ $0 }) { throw error }
            try await records.apply(changes)
        }

        func flush() async throws {}
        func usage() async throws -> RecordUsage { try await records.usage() }
        func allKeys() async throws -> [RecordKey] { try await records.allKeys() }
        func compact() async throws {}
    }

    // MARK: Stores

    enum StoreChange: CaseIterable {
        case write, update, remove, removePartition, removeAll, evict
    }

    @Test(arguments: StoreChange.allCases)
    func `A store in memory releases data without its lock`(_ change: StoreChange) async throws {
        let store = MemoryRecordStore(limits: RecordLimits(entries: 1))
        let key = RecordKey(partition: 1, name: 2)
        try await store.apply([.write(key, data { _ = store.records(for: []) })])
        let changes: [RecordChange] =
            switch change {
            case .write: [.write(key, Data("x".utf8))]
            case .update: [.update(key, from: Data(repeating: 7, count: 100), to: Data("x".utf8))]
            case .remove: [.remove(key)]
            case .removePartition: [.removePartition(1)]
            case .removeAll: [.removeAll]
            case .evict: [.write(RecordKey(partition: 1, name: 3), Data("x".utf8))]
            }
        try await store.apply(changes)
        #expect(await isReleased() == [true])
    }

    private func data(whenReleased lock: @escaping @Sendable () -> Void) -> Data {
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: 100, alignment: 1)
        bytes.initializeMemory(as: UInt8.self, repeating: 7, count: 100)
        let releases = releases
        return Data(
            bytesNoCopy: bytes, count: 100,
            deallocator: .custom { bytes, _ in
                bytes.deallocate()
                releases.note(lock)
            })
    }
}
