import CacheTorture
import Foundation
import SiestaCore
import SiestaWriting
import TestKit
import Testing

/// The conditions of entries that change the same version of a resource.
@Suite(.timeLimit(.model))
struct OutboxConditionTests {
    private var rules = OutboxRules()

    /// Accepts changes of resources in one scope, with the entity tags that their conditions name.
    private mutating func take(_ entries: [(id: String, address: String, tag: String?)]) throws {
        for (id, address, tag) in entries {
            var entry = Outbox.Entry.sample(id, method: "PATCH", address: .url("https://api.test/\(address)"))
            entry.request.precondition.ifMatch = tag
            try rules.take(entry)
        }
    }

    @Test mutating func `A confirmed entry writes its version to the next entry that is based on the same one`() throws
    {
        try take([("1", "a", "v1"), ("2", "b", "v1"), ("3", "a", nil), ("4", "a", "v1"), ("5", "a", "v1")])
        #expect(try rules.send() == "1")
        let changes = rules.end("1", .success(location: nil), version: Outbox.Condition(ifMatch: "v2"))
        #expect(changes == [.write(try #require(rules["4"])), .remove(id: "1")])
        #expect(rules["5"]?.request.precondition.ifMatch == "v1", "this entry is not written")
        let restarted = OutboxRules(["2", "3", "4", "5"].compactMap { rules[$0] })
        for rules in [rules, restarted] {
            #expect(rules.entries.map(\.request.precondition.ifMatch) == ["v1", nil, "v2", "v2"])
        }
    }

    @Test mutating func `A version whose condition is unknown changes no other entry`() throws {
        try take([("1", "a", "v1"), ("2", "a", "v1"), ("3", "a", "v1")])
        _ = try rules.send()
        #expect(rules.end("1", .success(location: nil)) == [.remove(id: "1")])
        _ = try rules.send()
        rules.end("2", .success(location: nil), version: Outbox.Condition(ifMatch: "v2"))
        #expect(rules["3"]?.request.precondition.ifMatch == "v2")
    }

    @Test mutating func `A version is not that of an address with other bytes`() throws {
        try take([("1", "caf\u{e9}", "v1"), ("2", "cafe\u{301}", "v1")])
        _ = try rules.send()
        rules.end("1", .success(location: nil), version: Outbox.Condition(ifMatch: "v2"))
        #expect(rules["2"]?.request.precondition.ifMatch == "v1")
    }

    @Test(arguments: [true, false])
    func `The next entry has the version of an entry that is dropped or gets another condition`(
        isDropped: Bool
    ) throws {
        var tests = self
        try tests.take([("1", "a", "v1"), ("2", "a", "v1"), ("3", "a", "v1"), ("4", "a", "v1")])
        _ = try tests.rules.send()
        tests.rules.end("1", .success(location: nil), version: Outbox.Condition(ifMatch: "v2"))
        let step =
            isDropped
            ? try tests.rules.drop("2")
            : try tests.rules.edit("2", at: .sample) { $0.request.precondition.ifMatch = "v9" }
        #expect(step.changes.first == .write(try #require(tests.rules["3"])))
        #expect(step.changes.count == 2)
        let conditions = tests.rules.entries.map(\.request.precondition.ifMatch)
        let expected: [String?] = isDropped ? ["v2", "v2"] : ["v9", "v2", "v2"]
        #expect(conditions == expected)
    }

    @Test mutating func `An edit that keeps the condition keeps the followers`() throws {
        try take([("1", "a", "v1"), ("2", "a", "v1"), ("3", "a", "v1")])
        _ = try rules.send()
        rules.end("1", .success(location: nil), version: Outbox.Condition(ifMatch: "v2"))
        let step = try rules.edit("2", at: .sample) { $0.request.body = .bytes(Data([1])) }
        rules.stored(step)
        #expect(step.changes == [.write(try #require(rules["2"]))])
        _ = try rules.send()
        rules.end("2", .success(location: nil), version: Outbox.Condition(ifMatch: "v3"))
        #expect(rules["3"]?.request.precondition.ifMatch == "v3")
    }

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

/// One random schedule of changes of two resources in one scope, checked by a server that knows on which version each change
/// is based.
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
        broken = broken ?? rules.brokenInvariants.first
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
