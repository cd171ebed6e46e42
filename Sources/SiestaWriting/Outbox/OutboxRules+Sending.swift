import Foundation
import SiestaCore

extension OutboxRules {
    /// The end of an attempt to send an entry.
    package enum Outcome: Hashable, Sendable {
        /// A response of success, with its `Location` field, and the URL to which redirects have led; nil if there were none.
        case success(location: String?, answeredAt: String? = nil)
        /// A response with another status, and a message for the user.
        case status(Int, message: String)
        /// The request cannot be sent: its body is missing, or HTTP does not allow a part of it.
        case unsendable(message: String)
        /// The network has failed, the attempt was cancelled, or the credential was refused. The server may have
        /// applied the change.
        case noResponse
        /// The request was not sent, because its start could not be stored, or because its principal has signed out.
        case notSent
    }

    /// Returns the state of an entry after a response with a status. The statuses 408, 423, 425 and 429 ask for another
    /// attempt (RFC 9110 §15.5.9, RFC 4918 §11.3, RFC 8470 §5.2, RFC 6585 §4). A redirect that was not followed would be
    /// the same each time. With 409, 412 and 428, the resource may have changed since it was read.
    static func state(after status: Int, message: String) -> Outbox.Entry.State {
        switch status {
        case 200..<300: .confirmed
        case 409, 412, 428: .conflict(status: status)
        case 408, 423, 425, 429: .queued
        case 300..<500: .refused(status: status, message: message)
        default: .queued
        }
    }

    // MARK: Attempts

    /// Records that an entry is being sent. The step must be stored before the request is sent, so that a restart knows
    /// that the server may have applied the change.
    ///
    /// - Throws: ``OutboxError/notSendable(id:)`` if ``next(for:isConnected:)`` could not have returned the entry.
    package mutating func started(_ id: String) throws(OutboxError) -> OutboxStep {
        guard var entry = self[id] else { throw .unknownEntry(id: id) }
        guard isSendable(entry.number) else { throw .notSendable(id: id) }
        entry.state = .sending
        entry.attempts += 1
        return write(entry)
    }

    /// Records the end of an attempt. Does nothing if the entry is not being sent.
    ///
    /// A success removes the entry. If other entries depend on it, they get their addresses first. After a crash between
    /// these changes, the entry is sent again with its key, before its dependants.
    ///
    /// - Parameter version: The condition that names the version which a success has made; nil if this version is unknown,
    ///   or contains changes that later entries do not know.
    package mutating func ended(
        _ id: String, _ outcome: Outcome, version: Outbox.Condition? = nil
    ) -> OutboxStep {
        guard let entry = self[id], entry.state == .sending else { return .none }
        switch outcome {
        case .success(let location, let url): return confirm(entry, location, answeredAt: url, version)
        case .unsendable(let message): return end(unsent(entry), .refused(status: nil, message: message))
        case .noResponse: return end(entry, .queued)
        case .notSent: return end(unsent(entry), .queued)
        case .status(let status, let message):
            let state = Self.state(after: status, message: message)
            return state == .confirmed ? confirm(entry, nil, answeredAt: nil, version) : end(entry, state)
        }
    }

    /// Returns an entry without an attempt that the server has not received, so that the app may edit it.
    private func unsent(_ entry: Outbox.Entry) -> Outbox.Entry {
        var entry = entry
        entry.attempts -= 1
        return entry
    }

    /// Records that all attempts were interrupted, as after a restart: the entries are queued and will be sent again with
    /// their keys. The store needs no changes, because it treats both states alike. Takes O(n).
    package mutating func restarted() {
        for var entry in entriesByNumber.values where entry.state == .sending {
            entry.state = .queued
            replace(entry)
        }
        resumeAll()
    }

    /// Returns a step without the writes that later steps have overtaken. Earlier decisions may wait to be made when a step is
    /// made, and would be stored before it: a change that was dropped in the meantime would come back.
    func latest(_ step: OutboxStep) -> OutboxStep {
        var step = step
        step.changes.removeAll { if case .write(let entry) = $0 { self[entry.id] != entry } else { false } }
        return step
    }

    private mutating func end(_ entry: Outbox.Entry, _ state: Outbox.Entry.State) -> OutboxStep {
        var entry = entry
        entry.state = state
        return write(entry)
    }

    private mutating func confirm(
        _ entry: Outbox.Entry, _ location: String?, answeredAt url: String?, _ version: Outbox.Condition?
    ) -> OutboxStep {
        var entry = entry
        let dependants = dependants(of: entry.id)
        let created = Outbox.Address.ofCreated(
            method: entry.request.method, request: entry.request.address.url ?? "", answeredAt: url, location: location)
        let resolved = created.map { url in dependants.map { $0.resolved(entry.id, at: url) } } ?? []
        for dependant in resolved { replace(dependant) }
        let rebased = rebaseFollower(of: entry, on: version)
        remove(entry)
        entry.state = .confirmed
        var step = step(
            resolved.map { .write($0) } + rebased + [.remove(id: entry.id)], entry,
            Set(dependants.map(\.lane) + [entry.lane]))
        step.createdURL = created
        return step
    }

    /// Replaces an entry, and returns the step that stores it.
    mutating func write(_ entry: Outbox.Entry) -> OutboxStep {
        replace(entry)
        return step([.write(entry)], entry, [entry.lane])
    }
}

extension Outbox.Entry {
    /// Returns the entry with the URLs that follow from the URL of a created resource.
    func resolved(_ id: String, at url: String) -> Self {
        var entry = self
        entry.request.address = request.address.resolved(id, at: url)
        entry.edits = edits.map { Outbox.StoredEdit(address: $0.address.resolved(id, at: url), delta: $0.delta) }
        return entry
    }
}

extension OutboxRules {
    /// Gives the next entry that is based on the same version as a confirmed one the version that a load has found out.
    mutating func rebased(behind entry: Outbox.Entry, on version: Outbox.Condition) -> OutboxStep {
        let changes = rebaseFollower(of: entry, on: version)
        return step(changes, nil, [entry.lane])
    }

    /// Gives the next entry that is based on the same version the present condition of this version. Call it before an entry
    /// is removed or gets another condition. Returns the write.
    ///
    /// Several entries may change the same version of a resource. When one is confirmed, the version that it has made is the
    /// version on which the others are based. Only the next of them is written: it remembers for the others which conditions
    /// mean the same version. Therefore, a confirmation writes as few entries for a thousand followers as for one.
    ///
    /// The write comes before all other changes of the step. If the process ends in between, `entry` is still stored: it is
    /// sent again with its key, and has the same result, or waits for the same decision again.
    ///
    /// - Parameter version: The condition of the version that the entry has made; nil if it has made none.
    mutating func rebaseFollower(of entry: Outbox.Entry, on version: Outbox.Condition? = nil) -> [OutboxStoreChange] {
        guard version != nil || !entry.formerConditions.isEmpty, entry.request.precondition != .unconditional else {
            return []
        }
        let former = entry.formerConditions + [entry.request.precondition]
        var later = entries(behind: entry)
        guard let index = later.firstIndex(where: { former.contains($0.request.precondition) }) else { return [] }
        var next = later.remove(at: index)
        next.formerConditions = (former + next.formerConditions).reduce(into: []) { kept, condition in
            let isUsed = later.contains { $0.request.precondition == condition }
            if isUsed, !kept.contains(condition) { kept.append(condition) }
        }
        next.request.precondition = version ?? entry.request.precondition
        replace(next)
        return [.write(next)]
    }
}
