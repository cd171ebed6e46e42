package import Foundation
import HTTPRules
import SiestaCore

extension OutboxRules {
    /// Accepts an entry at the end of its scope. The entry is accepted when the step is stored. If storing fails, pass
    /// the step to ``withdraw(_:)``.
    ///
    /// - Throws: the limit that the entry would exceed, or the defect of the entry.
    package mutating func accept(_ entry: Outbox.Entry) throws(OutboxError) -> OutboxStep {
        var entry = entry
        entry.number = nextNumber
        entry.state = .queued
        guard self[entry.id] == nil else { throw .duplicate(id: entry.id) }
        guard count < limits.entries else { throw .tooManyEntries(limit: limits.entries) }
        guard bytes + entry.size <= limits.bytes else { throw .tooManyBytes(limit: limits.bytes) }
        try checkDependency(of: entry)
        try Self.checkAddresses(of: entry)
        insert(entry)
        return step([.write(entry)], entry, [entry.lane])
    }

    private func checkDependency(of entry: Outbox.Entry) throws(OutboxError) {
        let creators = ([entry.request.address] + entry.edits.map(\.address)).compactMap(\.creator)
        if let other = creators.first(where: { $0 != entry.dependency }) { throw .unknownDependency(id: other) }
        guard let creation = entry.dependency else { return }
        guard let other = self[creation], other.owner == entry.owner else {
            throw .unknownDependency(id: creation)
        }
    }

    private static func checkAddresses(of entry: Outbox.Entry) throws(OutboxError) {
        for address in [entry.request.address] + entry.edits.map(\.address) {
            if let text = address.url, mayContainCredentials(text) { throw .credentialsInAddress }
        }
    }

    /// Even text that is refused later, for example because of a line break, must not be stored with a password. If
    /// Foundation finds no host in it, everything before an `@` may be one.
    private static func mayContainCredentials(_ text: String) -> Bool {
        let url = URL(string: URLReference.escaped(text))
        guard let url, url.host?.isEmpty == false else { return text.utf8.contains(UInt8(ascii: "@")) }
        return url.user != nil || url.password != nil
    }

    // MARK: Decisions of the app

    /// Removes an entry because the app gives the change up. Its dependants remain, and the app must decide on them.
    ///
    /// - Throws: ``OutboxError/isBeingSent(id:)``: as long as the request may still arrive, no later entry of the scope
    ///   may be sent.
    package mutating func drop(_ id: String) throws(OutboxError) -> OutboxStep {
        let entry = try waiting(id)
        let lanes = Set(dependants(of: id).map(\.lane) + [entry.lane])
        let rebased = rebaseFollower(of: entry)
        remove(entry)
        return step(rebased + [.remove(id: id)], entry, lanes)
    }

    /// Changes the request and the edits of an entry, and queues the entry in its old place.
    ///
    /// - Parameter key: The idempotency key to use if the entry was sent before.
    /// - Throws: ``OutboxError/mayBeApplied(id:)`` if the entry was sent and the server has not refused it;
    ///   ``OutboxError/tooManyBytes(limit:)``.
    package mutating func edit(
        _ id: String, at time: Date, key: String = UUID().uuidString, _ change: (inout Outbox.Entry) -> Void
    ) throws(OutboxError) -> OutboxStep {
        let old = try waiting(id)
        guard !old.mayBeApplied else { throw .mayBeApplied(id: id) }
        var changed = old
        change(&changed)
        var entry = old
        (entry.request, entry.edits, entry.settlement) = (changed.request, changed.edits, changed.settlement)
        let growth = entry.size - old.size
        guard growth <= 0 || bytes + growth <= limits.bytes else { throw .tooManyBytes(limit: limits.bytes) }
        try Self.checkAddresses(of: entry)
        let isOfSameVersion =
            entry.request.address == old.request.address && entry.request.precondition == old.request.precondition
        let rebased = isOfSameVersion ? [] : rebaseFollower(of: old)
        if !isOfSameVersion { entry.formerConditions = [] }
        var step = queueAgain(entry, at: time, key: key)
        step.changes = rebased + step.changes
        return step
    }

    /// Queues a refused or conflicting entry in its old place.
    ///
    /// - Parameter key: The idempotency key to use if the server has refused the entry.
    package mutating func retry(
        _ id: String, at time: Date, key: String = UUID().uuidString
    ) throws(OutboxError) -> OutboxStep {
        let entry = try waiting(id)
        guard entry.state.needsDecision else { throw .needsNoDecision(id: id) }
        return queueAgain(entry, at: time, key: key)
    }

    private mutating func queueAgain(_ entry: Outbox.Entry, at time: Date, key: String) -> OutboxStep {
        var entry = entry
        // A server may repeat its response to a known key. If it may have applied the change, the key must stay.
        if entry.attempts > 0, !entry.mayBeApplied { (entry.idempotencyKey, entry.attempts) = (key, 0) }
        (entry.state, entry.waitsSince) = (.queued, time)
        return write(entry)
    }

    private func waiting(_ id: String) throws(OutboxError) -> Outbox.Entry {
        guard let entry = self[id] else { throw .unknownEntry(id: id) }
        guard entry.state != .sending else { throw .isBeingSent(id: id) }
        return entry
    }

    // MARK: Age

    /// Refuses the queued entries that are older than the limit. They stay until the app drops or retries them.
    ///
    /// - Parameter message: The message for the user.
    package mutating func expire(at time: Date, message: String) -> OutboxStep {
        guard let age = limits.age else { return .none }
        let limit = time.timeIntervalSinceReferenceDate - age / .seconds(1)
        var changes: [OutboxStoreChange] = []
        var lanes: Set<LaneKey> = []
        for var entry in queued(before: limit) {
            entry.state = .refused(status: nil, message: message)
            replace(entry)
            changes.append(.write(entry))
            lanes.insert(entry.lane)
        }
        return step(changes, nil, lanes)
    }
}
