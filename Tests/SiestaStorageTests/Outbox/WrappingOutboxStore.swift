import Foundation
import SiestaCaches
import SiestaCore
import SiestaOutboxStorage
import SiestaWriting

/// A store that passes everything to another one, unless a test double does it in its own way.
protocol WrappingOutboxStore: OutboxStore {
    var base: RecordOutboxStore { get }
}

extension WrappingOutboxStore {
    func load() async throws -> OutboxContents { try await base.load() }
    func close() async { await base.close() }
    func apply(_ changes: [OutboxStoreChange]) async throws { try await base.apply(changes) }
    func keep(_ body: Data) async throws -> Outbox.Body { try await base.keep(body) }
    func keep(fileAt url: URL) async throws -> Outbox.Body { try await base.keep(fileAt: url) }
    func discard(_ body: Outbox.Body) async throws { try await base.discard(body) }
    func url(of name: String) async throws -> URL? { try await base.url(of: name) }
    func pieces(of name: String) -> AsyncThrowingStream<Data, any Error> { base.pieces(of: name) }
    func discardUnreadable() async throws { try await base.discardUnreadable() }
}
