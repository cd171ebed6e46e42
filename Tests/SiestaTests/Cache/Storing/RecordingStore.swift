import Foundation
import Siesta

/// A store in memory that records its operations. A test can hold them up or make them fail.
final class RecordingStore: EntityStore {
    struct Refusal: Error {}

    private struct State: Sendable {
        var isHeld = false
        var failing = Failing.nothing
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    enum Failing: Sendable {
        case nothing, changes, everything
    }

    let records = MemoryEntityStore()
    let journal = CacheJournal()
    private let state = Locked(State())

    var name: String { "recording" }

    /// Makes all changes wait until ``release()``. They are recorded as held before they wait.
    func hold() { state.withLock { $0.isHeld = true } }

    func release() {
        let waiting = state.withLock { state in
            defer { (state.waiting, state.isHeld) = ([], false) }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Makes all functions throw, or work again.
    func fail(_ isFailing: Bool = true) { fail(isFailing ? .everything : .nothing) }

    func fail(_ failing: Failing) { state.withLock { $0.failing = failing } }

    func read(_ keys: [EntityStoreKey]) async throws -> [EntityStoreKey: Data] {
        journal.note("read \(keys.count)")
        try refuse(isChange: false)
        return try await records.read(keys)
    }

    func apply(_ changes: [EntityStoreChange]) async throws {
        if state.withLock({ $0.isHeld }) {
            journal.note("held \(changes.count)")
            await withCheckedContinuation { continuation in
                let isHeld = state.withLock { state in
                    if state.isHeld { state.waiting.append(continuation) }
                    return state.isHeld
                }
                if !isHeld { continuation.resume() }
            }
        }
        journal.note("apply \(changes.count)")
        try refuse()
        try await records.apply(changes)
    }

    func flush() async throws {
        journal.note("flush")
        try refuse()
    }

    func usage() async throws -> EntityStoreUsage {
        try refuse()
        return try await records.usage()
    }

    func allKeys() async throws -> [EntityStoreKey] { try await records.allKeys() }

    func compact() async throws { journal.note("compact") }

    private func refuse(isChange: Bool = true) throws {
        switch state.withLock({ $0.failing }) {
        case .nothing: break
        case .changes: if isChange { throw Refusal() }
        case .everything: throw Refusal()
        }
    }
}
