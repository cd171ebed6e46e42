package import Foundation
import Isolation
package import SiestaCore
package import SiestaCaches
package import SiestaWriting

/// A store of an outbox: entries in a ``RecordStore``, and the files of bodies in a folder.
///
/// The record store must have no limits, because it would remove entries, and must make each write durable. The outbox
/// locks its folder until it is released, so that no other outbox sends the same entries.
package actor RecordOutboxStore: OutboxStore {
    private let records: any RecordStore
    private let sealing: (any EntitySealing)?
    private let files: QueueIsolated<OutboxFiles>?
    private var layout: OutboxLayout
    private var isLoaded = false
    /// The records whose stored content is unknown, because a write has failed.
    private var unsure: Set<RecordKey> = []
    private var isBusy = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// The size of a body, in bytes, beyond which ``keep(_:)`` makes a file. Smaller bodies are part of the segment,
    /// which is written again with each change of its entries.
    package static let inlineLimit = 1024

    /// Creates a store. It does not access the file system before ``load()``.
    ///
    /// - Parameter folder: The folder for the lock and the files of bodies. If it is nil, the outbox has no lock, and
    ///   bodies cannot be files.
    /// - Parameter place: The path that ``OutboxInUse`` names; nil for that of the folder.
    package init(
        _ records: any RecordStore, folder: URL?, place: String? = nil, sealing: (any EntitySealing)? = nil
    ) {
        (self.records, self.sealing) = (records, sealing)
        layout = OutboxLayout(sealing: sealing)
        let path = folder?.path
        files = path.map { path in
            QueueIsolated(label: "Siesta outbox, files") { OutboxFiles(path: path, place: place, sealing: sealing) }
        }
    }

    /// Returns a store that keeps everything in files of `folder`.
    package static func files(at folder: URL, sealing: (any EntitySealing)? = nil) -> RecordOutboxStore {
        RecordOutboxStore(FileRecordStore(folder: folder, durability: .everyWrite), folder: folder, sealing: sealing)
    }

    /// Returns a store that keeps its entries in memory.
    package static func inMemory() -> RecordOutboxStore { RecordOutboxStore(MemoryRecordStore(), folder: nil) }

    // MARK: Loading

    package func load() async throws -> OutboxContents {
        try await inTurn { () async throws -> OutboxContents in try await readAll() }
    }

    private func readAll() async throws -> OutboxContents {
        try await files?.run { files in try files.open() }
        // An outbox that seems to be empty would lose its entries to the next change.
        let keys: [RecordKey]
        if let files = records as? FileRecordStore {
            keys = try await files.allKeys(isComplete: true).sorted()
        } else {
            keys = try await records.allKeys().sorted()
        }
        let found = await read(keys)
        layout = OutboxLayout(sealing: sealing)
        var entries: [Outbox.Entry] = []
        for key in keys { entries += layout.load(found[key], key) }
        entries.sort { $0.number < $1.number }
        // After the first call, a file without an entry may belong to an entry that will be written. A file may also
        // belong to an entry that cannot be read.
        let used = layout.unreadable == 0 ? layout.files : nil
        if !isLoaded { try await files?.run { files in try files.removeOrphans(except: used) } }
        (isLoaded, unsure) = (true, [])
        try? await sealAgain()
        return OutboxContents(entries: entries, unreadable: layout.unreadable)
    }

    /// Seals the files and the entries of earlier keys with the current key. The entry of a file comes after the file, so
    /// that the next start continues after a crash. Each file is examined itself, because an entry that was written since may
    /// have the current key although its file could not be sealed again.
    private func sealAgain() async throws {
        let names = layout.files
        let failed = await files?.run { files in
            names.filter { name in
                do {
                    if try files.isSealedWithFormerKey(name) { try files.sealAgain(name) }
                    return false
                } catch {
                    return true
                }
            }
        }
        guard layout.hasFormerKeys else { return }
        try await store(try layout.draftWithPresentKey(except: failed ?? []))
        layout.forgetFormerKeys()
    }

    private func loadIfNeeded() async throws {
        if !isLoaded { _ = try await readAll() }
    }

    /// Returns the records that can be read. A store throws if it can read none of several records.
    private func read(_ keys: [RecordKey]) async -> [RecordKey: Data] {
        if let all = try? await records.read(keys) { return all }
        var found: [RecordKey: Data] = [:]
        for key in keys { found[key] = try? await records.read([key])[key] }
        return found
    }

    package func close() async {
        try? await inTurn {
            isLoaded = false
            // The app may move the file and the folder now. The log must not contain changes that the file does not have.
            await (records as? any ClosableRecordStore)?.close()
            await files?.run { files in files.close() }
        }
    }

    // MARK: Changing

    package func apply(_ changes: [OutboxStoreChange]) async throws {
        try await inTurn {
            try await loadIfNeeded()
            try await store(try layout.draft(changes))
        }
    }

    package func discardUnreadable() async throws {
        try await inTurn {
            try await loadIfNeeded()
            try await store(layout.draftWithoutDamage())
            layout.forgetUnusable()
        }
    }

    /// Writes the records one after another, so that after a failure or a crash the first of them are stored.
    private func store(_ draft: OutboxLayout.Draft) async throws {
        try await files?.run { files in try files.check() }
        try await repair()
        unsure = draft.keys
        for (key, content) in zip(draft.records, draft.contents) { try await write(content, key) }
        unsure = []
        layout.commit(draft)
        let unused = draft.files
        guard !unused.isEmpty else { return }
        await files?.run { files in for name in unused { try? files.remove(name) } }
    }

    /// Writes the records again that a failed call may have changed. A failed call can only have removed a record that could
    /// not be read: nobody knows what to write in its place.
    private func repair() async throws {
        for key in unsure.sorted() {
            let segment = layout.segments[key]
            if segment?.isForeign != true { try await write(segment?.encoded(key), key) }
            unsure.remove(key)
        }
    }

    private func write(_ content: Data?, _ key: RecordKey) async throws {
        try await records.apply([content.map { .write(key, $0) } ?? .remove(key)])
    }

    // MARK: Files

    package func keep(_ body: Data) async throws -> Outbox.Body {
        guard body.count > Self.inlineLimit, let files else { return .bytes(body) }
        try await inTurn { try await loadIfNeeded() }
        return try await files.run { files in try files.keep(body) }
    }

    package func keep(fileAt url: URL) async throws -> Outbox.Body {
        guard let files else { throw FileSystemError("copy", url.path, code: ENOTSUP) }
        try await inTurn { try await loadIfNeeded() }
        return try await files.run { files in try files.keep(fileAt: url) }
    }

    package func discard(_ body: Outbox.Body) async throws {
        guard let name = body.keptName else { return }
        try await files?.run { files in try files.remove(name) }
    }

    package func url(of name: String) async throws -> URL? {
        try await files?.run { files in try files.url(of: name) }
    }

    package nonisolated func pieces(of name: String) -> AsyncThrowingStream<Data, any Error> {
        let reader = Locked<UncheckedReader?>(nil)
        return AsyncThrowingStream {
            guard let files = self.files else { throw FileSystemError("open", name, code: ENOENT) }
            return try await files.run { files in
                let reader = try reader.withLock { opened in
                    let reader = try opened ?? UncheckedReader(files.reader(of: name))
                    opened = reader
                    return reader
                }
                return try files.next(reader.reader)
            }
        }
    }

    // MARK: Turns

    /// Runs `work` after the works of earlier calls. An actor alone would start the next call while `work` waits for the
    /// disk.
    private func inTurn<Result>(_ work: () async throws -> Result) async throws -> Result {
        if isBusy {
            await withCheckedContinuation { waiting.append($0) }
        } else {
            isBusy = true
        }
        defer { if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() } }
        return try await work()
    }
}

/// Carries a reader to the queue of the files, the only place where it is used.
private struct UncheckedReader: @unchecked Sendable {
    let reader: OutboxFiles.Reader

    init(_ reader: OutboxFiles.Reader) { self.reader = reader }
}
