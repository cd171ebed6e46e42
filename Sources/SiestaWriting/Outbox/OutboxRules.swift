import Foundation
import HTTPRules
import SiestaCore

/// The state machine of all entries of an outbox: decides which entry is accepted, sent and finished. Pure.
///
/// - Entries of one scope and principal are sent in the order of acceptance, one after another.
/// - An entry is sent only for the principal who made the change. No principal is a principal of its own.
/// - A refused or conflicting entry blocks its scope until the app drops, edits or retries it. A later change of the
///   scope may build on the refused change, and a retry would otherwise apply the two in the wrong order. Other scopes go
///   on. An app that has independent changes gives them different scopes.
/// - An entry that depends on another is sent after the other was confirmed and has reported a URL. If the other is
///   refused or dropped, the entry stays and ``obstacle(for:)`` says why it waits.
/// - Nothing is sent in a scope before the last change of this scope is stored; see ``OutboxStep``.
///
/// Every function takes O(log n) for n entries, or O(m) for the m entries of its scope and its dependants.
package struct OutboxRules: Sendable {
    /// The limits of an outbox; see ``Outbox/entryLimit``, ``Outbox/byteLimit`` and ``Outbox/ageLimit``.
    package struct Limits: Sendable {
        package var entries = 10_000
        package var bytes = 256 << 20
        package var age: Duration? = .seconds(30 * 86_400)

        package init() {}
    }

    package var limits: Limits
    /// The unfinished entries, by their positions in the order of acceptance.
    private(set) var entriesByNumber: [UInt64: Outbox.Entry] = [:]
    /// The numbers of the same entries, by their identities.
    private(set) var numbers: [String: UInt64] = [:]
    /// The number of each entry, in order, in the lane of its scope and principal. A lane exists as long as it has an entry, or
    /// a step that is not stored.
    private(set) var lanes: [LaneKey: Lane] = [:]
    /// The number of each entry that can be sent, and of others that could be sent before; see ``removeSurplus(of:)``.
    private(set) var candidates: [Principal?: Candidates] = [:]
    /// The numbers of the entries with a dependency, by this dependency. It may have left the outbox.
    private(set) var dependants: [String: [UInt64]] = [:]
    /// The age of each entry that is queued or being sent, and earlier ages; see ``removeSurplus(of:)``.
    private(set) var ages = MinimumHeap<Age>()
    /// The entries that the app has cancelled. They are not sent any more, and are dropped as soon as no attempt is running.
    private(set) var cancelled: Set<String> = []
    /// No entry has a higher number.
    private(set) var lastNumber: UInt64 = 0
    private var lastPause: UInt64 = 0
    /// The sum of the entries' sizes, in bytes.
    package private(set) var bytes = 0

    /// Creates the state after a start with the stored entries. Entries that were being sent are queued.
    package init(_ stored: [Outbox.Entry] = [], limits: Limits = Limits()) {
        self.limits = limits
        entriesByNumber.reserveCapacity(stored.count)
        numbers.reserveCapacity(stored.count)
        for var entry in Self.inOrder(stored) where numbers[entry.id] == nil {
            entry.number = max(entry.number, lastNumber + 1)  // Differs only if two entries have the same number.
            if entry.state == .sending { entry.state = .queued }
            if entry.state != .confirmed { insert(entry) }
        }
        for key in lanes.keys { offer(key) }
    }

    /// Makes the numbers of the next entries higher than those of the stored entries that cannot be read now. A later start
    /// may read them, for example with another key, and they were accepted before the next entries.
    ///
    /// Their numbers are unknown. Most of them are small. Those that were accepted after an earlier call of this function
    /// follow the time of that call.
    mutating func passUnreadable(at time: Date) {
        let milliseconds = UInt64(max(0, min(time.timeIntervalSinceReferenceDate * 1000, 0x1p52)))
        // More than an outbox accepts within a minute, so that the numbers do not run ahead of the time.
        let next = max(lastNumber + 1 << 16, 1 << 32, milliseconds)
        if next < 1 << 53 { lastNumber = next }  // A higher number could not be stored.
    }

    /// Returns the entries in the order of acceptance. Stores return them in this order already.
    private static func inOrder(_ entries: [Outbox.Entry]) -> [Outbox.Entry] {
        let isInOrder = zip(entries, entries.dropFirst()).allSatisfy { $0.number <= $1.number }
        return isInOrder ? entries : entries.sorted { $0.number < $1.number }
    }

    // MARK: Reading

    /// The number of entries.
    package var count: Int { entriesByNumber.count }

    /// All entries, in the order of acceptance, each with the condition that it will have when it is sent; see
    /// ``rebaseFollower(of:on:)``. Takes O(n log n).
    package var entries: [Outbox.Entry] {
        var conditions: [Version: Outbox.Condition] = [:]
        return entriesByNumber.values.sorted { $0.number < $1.number }.map { entry in
            var entry = entry
            if !conditions.isEmpty, let present = conditions[Version(entry, entry.request.precondition)] {
                entry.request.precondition = present
            }
            for former in entry.formerConditions where conditions[Version(entry, former)] == nil {
                conditions[Version(entry, former)] = entry.request.precondition
            }
            return entry
        }
    }

    /// Returns the entry with this identity; nil if it is confirmed, dropped or unknown.
    package subscript(id: String) -> Outbox.Entry? { numbers[id].flatMap { entriesByNumber[$0] } }

    /// True if an entry waits for a decision of the app about its conflict.
    func isInConflict(_ id: String?) -> Bool {
        if case .conflict = id.flatMap({ self[$0] })?.state { true } else { false }
    }

    /// Returns the reason why an entry is not sent; nil if no other entry blocks it.
    package func obstacle(for id: String) -> Outbox.Obstacle? {
        guard let entry = self[id] else { return nil }
        if let creation = entry.dependency, numbers[creation] != nil { return .creation(id: creation) }
        if let first = lanes[entry.lane]?.numbers.first, first != entry.number, let earlier = entriesByNumber[first] {
            return .earlierEntry(id: earlier.id)
        }
        return entry.request.address.url == nil ? .unknownAddress : nil
    }

    /// True if the first entry of a lane waits for a URL that no entry will report.
    func lacksAddress(_ lane: LaneKey) -> Bool {
        guard let first = lanes[lane]?.numbers.first, let entry = entriesByNumber[first] else { return false }
        return obstacle(for: entry.id) == .unknownAddress
    }

    // MARK: Sending

    /// Returns the oldest entry that may be sent now; nil if there is none.
    ///
    /// The function returns the same entry until ``started(_:)`` is called. Then it returns the next entry of another
    /// scope.
    package mutating func next(for principal: String?, isConnected: Bool) -> Outbox.Entry? {
        guard isConnected else { return nil }
        let principal = Principal.named(principal)
        while let number = candidates[principal]?.first {
            if isSendable(number) { return entriesByNumber[number] }
            candidates[principal]?.removeFirst()
        }
        return nil
    }

    /// Makes the scope of an entry wait, for example after an attempt without a response. Returns nil if there is no such
    /// entry. The pause stays if the entry is dropped, because the server has asked for it.
    ///
    /// - Parameter isAsked: true if the server has asked for the pause.
    package mutating func pause(_ id: String, isAsked: Bool = false) -> Pause? {
        guard let lane = self[id]?.lane else { return nil }
        lastPause += 1
        lanes[lane]?.pause = lastPause
        lanes[lane]?.isPauseAsked = isAsked
        return Pause(lane: lane, number: lastPause)
    }

    /// Ends a pause. Does nothing if a later pause has replaced it.
    package mutating func resume(_ pause: Pause) {
        guard lanes[pause.lane]?.pause == pause.number else { return }
        endPause(of: pause.lane)
    }

    /// Ends all pauses, for example when the network is back. Takes O(n).
    ///
    /// - Parameter includingAsked: false to keep the pauses for which the server has asked.
    package mutating func resumeAll(includingAsked: Bool = true) {
        for key in lanes.keys where includingAsked || lanes[key]?.isPauseAsked == false {
            endPause(of: key)
        }
    }

    private mutating func endPause(of key: LaneKey) {
        lanes[key]?.pause = nil
        if lanes[key]?.isUnused == true { lanes[key] = nil }
        offer(key)
    }

    func isSendable(_ number: UInt64) -> Bool {
        guard let entry = entriesByNumber[number], let lane = lanes[entry.lane] else { return false }
        return entry.state == .queued && lane.numbers.first == number && lane.writes == 0 && lane.pause == nil
            && entry.request.address.url != nil && entry.dependency.flatMap { numbers[$0] } == nil
            && !cancelled.contains(entry.id)
    }

    /// Makes an entry unsendable, because the app has cancelled its change. The caller drops it. Does nothing if there is no
    /// such entry.
    mutating func cancel(_ id: String) {
        if numbers[id] != nil { cancelled.insert(id) }
    }

    // MARK: Steps

    /// Records that the changes of a step are stored. Call it even if storing has failed: the outbox repeats the failed
    /// changes. A step of ``accept(_:)`` that was not stored must be passed to ``withdraw(_:)`` instead.
    package mutating func stored(_ step: OutboxStep) {
        for key in step.lanes { release(key) }
    }

    /// Removes an entry that was not stored, so that it was not accepted.
    package mutating func withdraw(_ step: OutboxStep) {
        if let entry = step.entry { remove(entry) }
        stored(step)
    }

    private mutating func release(_ key: LaneKey) {
        guard var lane = lanes[key] else { return }
        lane.writes = max(0, lane.writes - 1)
        lanes[key] = lane.isUnused ? nil : lane
        offer(key)
    }

    /// Makes the first entry of a lane a candidate, if it can be sent.
    private mutating func offer(_ key: LaneKey) {
        guard let first = lanes[key]?.numbers.first, isSendable(first) else { return }
        candidates[key.principal, default: Candidates()].insert(first)
    }

    /// Returns a step for entries that have changed. Their lanes wait until the step is stored.
    mutating func step(_ changes: [OutboxStoreChange], _ entry: Outbox.Entry?, _ lanes: Set<LaneKey>) -> OutboxStep {
        for key in lanes { self.lanes[key, default: Lane()].writes += 1 }
        return OutboxStep(changes: changes, entry: entry, lanes: lanes)
    }

    // MARK: The collections

    // Only these functions add and remove entries. The comments of the properties state the invariants, which the tests check
    // after each step of random schedules.

    var nextNumber: UInt64 { lastNumber + 1 }

    mutating func insert(_ entry: Outbox.Entry) {
        lastNumber = entry.number
        numbers[entry.id] = entry.number
        lanes[entry.lane, default: Lane()].append(entry.number)
        if let creation = entry.dependency { dependants[creation, default: []].append(entry.number) }
        replace(entry)
    }

    /// Stores a new version of an entry, and keeps the sum of the sizes.
    mutating func replace(_ entry: Outbox.Entry) {
        let old = entriesByNumber.updateValue(entry, forKey: entry.number)
        bytes += entry.size - (old?.size ?? 0)
        if old?.waitsSince != entry.waitsSince { ages.insert(Age(entry)) }
        removeSurplus(of: entry.owner)
    }

    /// Rebuilds the heaps if most of their elements belong to finished entries. Therefore a change takes O(log n) on
    /// average.
    private mutating func removeSurplus(of principal: Principal?) {
        if ages.count > 2 * count + Self.surplus { ages = MinimumHeap(entriesByNumber.values.map(Age.init)) }
        guard let all = candidates[principal]?.numbers, all.count > 2 * lanes.count + Self.surplus else { return }
        candidates[principal] = Candidates(all.filter(isSendable))
    }

    private static let surplus = 64

    /// Removes an entry. Its dependants remain.
    mutating func remove(_ entry: Outbox.Entry) {
        guard let stored = entriesByNumber.removeValue(forKey: entry.number) else { return }
        bytes -= stored.size
        numbers[entry.id] = nil
        cancelled.remove(entry.id)
        lanes[entry.lane]?.remove(entry.number)
        if lanes[entry.lane]?.isUnused == true { lanes[entry.lane] = nil }
        guard let creation = entry.dependency else { return }
        dependants[creation]?.removeAll { $0 == entry.number }
        if dependants[creation]?.isEmpty == true { dependants[creation] = nil }
    }

    /// Returns the later entries of the same scope, principal and address, in order. Takes time proportional to the entries
    /// of the scope.
    func entries(behind entry: Outbox.Entry) -> [Outbox.Entry] {
        let later = lanes[entry.lane]?.numbers.drop { $0 <= entry.number } ?? []
        return later.compactMap { entriesByNumber[$0] }.filter { $0.request.address == entry.request.address }
    }

    /// Returns the entries that depend on an entry.
    func dependants(of id: String) -> [Outbox.Entry] { dependants[id]?.compactMap { entriesByNumber[$0] } ?? [] }

    /// Returns the entries that have been queued since before `limit`.
    mutating func queued(before limit: TimeInterval) -> [Outbox.Entry] {
        var (found, sending): ([Outbox.Entry], [Age]) = ([], [])
        while let age = ages.first, age.time < limit {
            ages.removeFirst()
            guard let entry = entriesByNumber[age.number], Age(entry) == age else { continue }
            if entry.state == .queued { found.append(entry) } else if entry.state == .sending { sending.append(age) }
        }
        for age in sending { ages.insert(age) }
        return found
    }
}

extension Outbox.Entry {
    var lane: OutboxRules.LaneKey { OutboxRules.LaneKey(principal: owner, scope: ExactText(scope)) }
}

/// The result of a change to ``OutboxRules``: the changes that must be stored before anything else happens in the scopes
/// of the changed entries.
///
/// The caller stores the changes, and then passes the step to ``OutboxRules/stored(_:)``. Until then, no entry of these
/// scopes is sent.
package struct OutboxStep: Sendable {
    /// The changes for the store, in order.
    package internal(set) var changes: [OutboxStoreChange]
    /// The entry after the step, even if it was confirmed or dropped. Nil if the step changes no entry, or several.
    package let entry: Outbox.Entry?
    let lanes: Set<OutboxRules.LaneKey>
    /// The URL of the resource that the entry has created; nil if there is none.
    package var createdURL: String?

    /// A step without changes.
    static let none = OutboxStep(changes: [], entry: nil, lanes: [])
}
