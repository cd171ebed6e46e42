import CacheTorture
import Foundation
import SiestaCore
import SiestaWriting
import TestKit
import Testing

/// Random schedules of conditional changes, checked by a server that knows on which version each change is based.
@Suite(.timeLimit(.model))
struct OutboxConditionTests {
    @Test func `The server refuses a change only if somebody else has changed its version, also after kills`() throws {
        var total = ConditionSchedule.Counts()
        let count = TestLevel.count(200, nightly: 2_000, soak: 20_000)
        for seed in TestSeed.cases(count) {
            var schedule = ConditionSchedule(seed: seed)
            for _ in 0..<60 where schedule.broken == nil { try schedule.step() }
            #expect(schedule.broken == nil, "seed \(seed)")
            if schedule.broken != nil { return }
            total.add(schedule.counts)
        }
        // The schedules must reach all parts of the rules.
        #expect(total.confirmed > 4 * count)
        #expect(total.refused * 2 > count)
        #expect(total.rebased > count)
        #expect(total.kills > count)
        #expect(total.mostWrites == 2, "a confirmation writes one follower and removes one entry")
    }
}

/// One random schedule of changes of two resources in one scope.
private struct ConditionSchedule {
    struct Counts {
        var confirmed = 0, refused = 0, rebased = 0, kills = 0, mostWrites = 0

        mutating func add(_ other: Counts) {
            confirmed += other.confirmed
            refused += other.refused
            rebased += other.rebased
            kills += other.kills
            mostWrites = max(mostWrites, other.mostWrites)
        }
    }

    /// A version of a resource, and the number of changes by others that it contains.
    private struct Version {
        var number = 1
        var others = 0

        var condition: Outbox.Condition { Outbox.Condition(ifMatch: "\"\(number)\"") }
    }

    private static let addresses = ["x", "y"].map { Outbox.Address.url("https://api.test/\($0)") }

    private var rules = OutboxRules()
    private var disk: [String: Outbox.Entry] = [:]
    /// The versions on the server, and those that the app has loaded.
    private var present = [Version(), Version()]
    private var loaded = [Version(), Version()]
    /// The responses of the server by their keys, which it repeats.
    private var responses: [String: Version] = [:]
    /// The number of changes by others on which each entry is based.
    private var bases: [String: Int] = [:]
    private var lastVersion = 1
    private var accepted = 0
    private var random: SeededGenerator
    private(set) var broken: String?
    private(set) var counts = Counts()

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    mutating func step() throws {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<35: try accept()
        case 35..<75: try send()
        case 75..<82: try drop()
        case 82..<90: try edit()
        case 90..<94:
            let index = Int.random(in: 0...1, using: &random)
            change(index, byOthers: true)
            if chance(50) { loaded[index] = present[index] }
        case 94..<97: loaded = present
        default: kill()
        }
        let isStored = disk.values.allSatisfy { stored in
            stored.request == rules[stored.id]?.request
                && stored.formerConditions == rules[stored.id]?.formerConditions
        }
        if !isStored || rules.count != disk.count { broken = "the rules and the disk differ" }
    }

    // MARK: The app

    private mutating func accept() throws {
        accepted += 1
        let index = chance(75) ? 0 : 1
        var entry = Outbox.Entry.sample("\(accepted)", method: "PATCH", address: Self.addresses[index])
        if chance(90) { entry.request.precondition = loaded[index].condition }
        bases[entry.id] = loaded[index].others
        store(try rules.accept(entry))
    }

    /// Drops an entry that the server has not applied.
    private mutating func drop() throws {
        let unknown = rules.entries.filter { $0.state != .sending && responses[$0.idempotencyKey] == nil }
        guard let entry = unknown.randomElement(using: &random) else { return }
        store(try rules.drop(entry.id))
    }

    /// Bases a refused entry on the present version, or makes a queued entry unconditional.
    private mutating func edit() throws {
        let refused = rules.entries.filter(\.state.needsDecision)
        let editable = refused.isEmpty ? rules.entries.filter { $0.state == .queued && $0.attempts == 0 } : refused
        guard let entry = editable.randomElement(using: &random) else { return }
        let index = index(of: entry)
        loaded[index] = present[index]
        let condition = refused.isEmpty ? Outbox.Condition() : present[index].condition
        let step = try rules.edit(entry.id, at: .sample) { $0.request.precondition = condition }
        if store(step) { bases[entry.id] = present[index].others }
    }

    private mutating func send() throws {
        guard let id = rules.next(for: nil, isConnected: true)?.id, store(try rules.started(id)) else { return }
        let isLost = chance(10)
        guard !isLost, let entry = rules[id] else { return end(id, .noResponse) }
        let response = response(to: entry)
        if chance(10) { return end(id, .noResponse) }
        guard let response else {
            counts.refused += 1
            return end(id, .status(412, message: ""))
        }
        counts.confirmed += 1
        let step = rules.ended(id, .success(location: nil), version: response.condition)
        if step.changes.count > 1 { counts.rebased += 1 }
        counts.mostWrites = max(counts.mostWrites, step.changes.count)
        if store(step) { loaded[index(of: entry)] = response }
    }

    private mutating func end(_ id: String, _ outcome: OutboxRules.Outcome) { store(rules.ended(id, outcome)) }

    private func index(of entry: Outbox.Entry) -> Int { entry.request.address == Self.addresses[0] ? 0 : 1 }

    // MARK: The server

    /// Applies a change if its condition is met. Returns the new version.
    private mutating func response(to entry: Outbox.Entry) -> Version? {
        if let known = responses[entry.idempotencyKey] { return known }
        let (index, condition) = (index(of: entry), entry.request.precondition)
        let isUnconditional = condition == Outbox.Condition()
        let isMet = isUnconditional || condition == present[index].condition
        if !isUnconditional, isMet != (bases[entry.id] == present[index].others) {
            broken = "entry \(entry.id) has the condition \(condition) at version \(present[index])"
        }
        guard isMet else { return nil }
        // An unconditional change may replace what others have changed.
        change(index, byOthers: isUnconditional)
        responses[entry.idempotencyKey] = present[index]
        return present[index]
    }

    private mutating func change(_ index: Int, byOthers: Bool) {
        lastVersion += 1
        present[index].number = lastVersion
        if byOthers { present[index].others += 1 }
    }

    // MARK: The disk

    /// Writes a step. Returns false if the process is killed before all changes are written.
    @discardableResult
    private mutating func store(_ step: OutboxStep) -> Bool {
        let isKilled = chance(6) && !step.changes.isEmpty
        let count = isKilled ? Int.random(in: 0..<step.changes.count, using: &random) : step.changes.count
        for change in step.changes.prefix(count) {
            switch change {
            case .write(let entry): disk[entry.id] = entry
            case .remove(let id): disk[id] = nil
            }
        }
        if isKilled { kill() } else { rules.stored(step) }
        return !isKilled
    }

    /// Starts the next process, which loads the present versions.
    private mutating func kill() {
        counts.kills += 1
        rules = OutboxRules(Array(disk.values))
        loaded = present
    }
}
