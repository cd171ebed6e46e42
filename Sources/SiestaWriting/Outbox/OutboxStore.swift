package import Foundation

/// A change to the stored entries.
package enum OutboxStoreChange: Equatable, Sendable {
    /// Stores an entry. Replaces the stored entry with the same identity, if any.
    case write(Outbox.Entry)
    /// Removes the entry with this identity and its files, if the entry exists.
    case remove(id: String)
}

/// The entries that a store contains when it is opened.
package struct OutboxContents: Sendable {
    /// The entries, in the order of acceptance.
    package var entries: [Outbox.Entry]
    /// The number of stored entries that are damaged, or that this version or this key cannot read. They remain stored.
    /// If the number of entries in damaged bytes is unknown, these bytes count as one entry.
    package var unreadable: Int

    package init(entries: [Outbox.Entry] = [], unreadable: Int = 0) {
        (self.entries, self.unreadable) = (entries, unreadable)
    }
}

/// Another outbox, in this or another process, uses the same folder or database. Both would send the same entries.
package struct OutboxInUse: LocalizedError, Hashable {
    /// The path of the folder or the database.
    package let path: String

    package init(path: String) { self.path = path }

    package var errorDescription: String? { "Another process or another outbox uses \(path)" }
}

/// The place where an outbox keeps its entries and the files of their bodies.
///
/// The functions may be called from any task; they are carried out one after another, in the order of the calls from
/// one task. When a function returns, its effect survives a power failure. A store never removes an entry by itself.
package protocol OutboxStore: Sendable {
    /// Opens the store and returns its contents. Removes files without an entry, which remained after crashes.
    ///
    /// - Throws: ``OutboxInUse``, or the error of the file system.
    func load() async throws -> OutboxContents

    /// Ends the use of the store, so that another outbox can use the same folder.
    func close() async

    /// Makes the changes in order. After a crash in between, the first of them are stored.
    ///
    /// If the function throws, the store may contain some of the changes. The next call makes the store agree with the
    /// changes of all calls that did not throw.
    func apply(_ changes: [OutboxStoreChange]) async throws

    /// Prepares bytes as the body of an entry that will be written. Large bytes become a file, if the store has a
    /// folder.
    func keep(_ body: Data) async throws -> Outbox.Body

    /// Copies a file, as the body of an entry that will be written.
    func keep(fileAt url: URL) async throws -> Outbox.Body

    /// Removes the file of a body that no entry uses.
    func discard(_ body: Outbox.Body) async throws

    /// Returns the URL of a kept file; nil if the file is sealed and must be read with ``pieces(of:)``.
    func url(of name: String) async throws -> URL?

    /// Returns the content of a kept file, in pieces. The sequence throws if the file is damaged or incomplete.
    func pieces(of name: String) -> AsyncThrowingStream<Data, any Error>

    /// Removes the entries that cannot be read.
    func discardUnreadable() async throws
}
