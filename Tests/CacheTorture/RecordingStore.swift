package import Foundation
import Isolation
package import SiestaCaches

/// A store in memory that records its operations. A test can hold them up or make them fail.
package final class RecordingStore: RecordStore {
    package struct Refusal: Error { package init() {} }

    private struct State: Sendable {
        var isHeld = false
        var failing = Failing.nothing
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    package enum Failing: Sendable {
        case nothing, changes, everything
    }

    package let records = MemoryRecordStore()
    package let journal = CacheJournal()
    private let state = Locked(State())

    package init() {}

    package var name: String { "recording" }

    /// Makes all changes wait until ``release()``. They are recorded as held before they wait.
    package func hold() { state.withLock { $0.isHeld = true } }

    package func release() {
        let waiting = state.withLock { state in
            defer { (state.waiting, state.isHeld) = ([], false) }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Makes all functions throw, or work again.
    package func fail(_ isFailing: Bool = true) { fail(isFailing ? .everything : .nothing) }

    package func fail(_ failing: Failing) { state.withLock { $0.failing = failing } }

    package func read(_ keys: [RecordKey]) async throws -> [RecordKey: Data] {
        journal.note("read \(keys.count)")
        try refuse(isChange: false)
        return try await records.read(keys)
    }

    package func apply(_ changes: [RecordChange]) async throws {
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

    package func flush() async throws {
        journal.note("flush")
        try refuse()
    }

    package func usage() async throws -> RecordUsage {
        try refuse()
        return try await records.usage()
    }

    package func allKeys() async throws -> [RecordKey] { try await records.allKeys() }

    package func compact() async throws { journal.note("compact") }

    private func refuse(isChange: Bool = true) throws {
        switch state.withLock({ $0.failing }) {
        case .nothing: break
        case .changes: if isChange { throw Refusal() }
        case .everything: throw Refusal()
        }
    }
}
