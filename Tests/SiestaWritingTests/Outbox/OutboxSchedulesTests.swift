import CacheTorture
import Foundation
import OutboxTorture
import SiestaCore
import SiestaWriting
import TestKit
import Testing

/// Random schedules, checked by a model that knows only what was accepted, sent and stored.
@Suite(.timeLimit(.model))
struct OutboxSchedulesTests {
    @Test func `In random schedules no rule is broken`() throws {
        var total = OutboxSchedule.Counts()
        let count = TestLevel.count(100, nightly: 1_000, soak: 10_000)
        for seed in TestSeed.cases(count) {
            var schedule = OutboxSchedule(seed: seed)
            try schedule.run(steps: 50)
            try schedule.finish()
            #expect(schedule.broken.isEmpty, "seed \(seed)")
            if !schedule.broken.isEmpty { break }
            total.add(schedule.counts)
        }
        // The schedules must reach all parts of the rules.
        #expect(total.sent > 10 * count)
        #expect(total.confirmed > 8 * count)
        #expect(total.dependants > count)
        #expect(total.crashes > count)
        #expect(total.refused * 4 > count)
        #expect(total.dropped > count)
        TestLevel.report("outbox: \(count) schedules, \(total)")
    }
}

/// One random schedule.
struct OutboxSchedule {
    struct Counts {
        var sent = 0, confirmed = 0, crashes = 0, dependants = 0, refused = 0, dropped = 0

        mutating func add(_ other: Counts) {
            sent += other.sent
            confirmed += other.confirmed
            crashes += other.crashes
            dependants += other.dependants
            refused += other.refused
            dropped += other.dropped
        }
    }

    /// The knowledge of the model about an entry.
    private struct Known {
        let entry: Outbox.Entry
        var position: Int
        var isInFlight = false
        /// The key of the attempts after which the server may have applied the change.
        var uncertainKey: String?
        var isFinished = false
        /// True if the acceptance was stored, so that the app knows of it.
        var isReported = false
    }

    private var rules = OutboxRules()
    private var disk: [String: Outbox.Entry] = [:]
    private var unstored: [OutboxStep] = []
    private var pauses: [OutboxRules.Pause] = []
    private var known: [String: Known] = [:]
    private var urls: [String: String] = [:]
    private var dropped: Set<String> = []
    private var principal: String?
    private var random: SeededGenerator
    private var accepted = 0
    private var isOver = false
    private(set) var broken: [String] = []
    private(set) var counts = Counts()

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    private mutating func check(_ condition: Bool, _ text: String) {
        if !condition { broken.append(text) }
    }

    mutating func run(steps: Int) throws {
        for _ in 0..<steps {
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<30: try accept()
            case 30..<60: try send()
            case 60..<80: end()
            case 80..<84: try drop()
            case 84..<88: try queueAgain()
            case 88..<91: restart()
            case 91..<94: crash()
            case 94..<97: principal = [nil, "ada", "bob"].randomElement(using: &random) ?? nil
            default: pause()
            }
            if chance(60) { store() }
            compare()
        }
    }

    /// Sends the rest, and checks that nothing is lost.
    mutating func finish() throws {
        isOver = true
        store()
        restart()
        var rounds = 0
        repeat {
            rounds += 1
            for name in [nil, "ada", "bob"] {
                principal = name
                for entry in rules.entries where entry.state.needsDecision {
                    store(try rules.retry(entry.id, at: .sample))
                }
                while try send() { store(); end(); store() }
            }
        } while rules.entries.contains { rules.obstacle(for: $0.id) == nil } && rounds < 1000
        for entry in rules.entries {
            check(isStuck(entry), "\(entry.id) was neither confirmed nor blocked by an unknown address")
        }
        compare()
    }

    /// True if the entry or an earlier entry on which it must wait has no address.
    private func isStuck(_ entry: Outbox.Entry) -> Bool {
        switch rules.obstacle(for: entry.id) {
        case nil: false
        case .unknownAddress: dropped.contains(entry.dependency ?? "")
        case .earlierEntry(let id), .creation(let id): rules[id].map(isStuck) ?? false
        }
    }

    // MARK: Events

    private mutating func accept() throws {
        let id = "e\(accepted)"
        let name: String? = [nil, "ada", "bob"].randomElement(using: &random) ?? nil
        let creations = rules.entries.filter { $0.principal == name }
        let creation = chance(30) ? creations.randomElement(using: &random)?.id : nil
        let entry = Outbox.Entry.sample(
            id, scope: ["a", "b", "c"].randomElement(using: &random) ?? "a", principal: name, dependency: creation,
            address: creation.map { .created(by: $0, path: "x") } ?? .url("https://api.test/\(id)"))
        let step = try rules.accept(entry)
        if chance(5) { return rules.withdraw(step) }
        known[id] = Known(entry: entry, position: accepted)
        accepted += 1
        unstored.append(step)
    }

    @discardableResult
    private mutating func send() throws -> Bool {
        guard let entry = rules.next(for: principal, isConnected: true) else { return false }
        checkSending(entry)
        let step = try rules.started(entry.id)
        known[entry.id]?.isInFlight = true
        known[entry.id]?.uncertainKey = entry.idempotencyKey
        unstored.append(step)
        counts.sent += 1
        return true
    }

    private mutating func checkSending(_ entry: Outbox.Entry) {
        guard let mine = known[entry.id] else { return check(false, "\(entry.id) was never accepted") }
        check(entry.principal == principal, "\(entry.id) is sent for another principal")
        check(!mine.isFinished, "\(entry.id) is sent after it was finished")
        check(disk[entry.id] != nil, "\(entry.id) is sent before it was stored")
        check(mine.uncertainKey == nil || mine.uncertainKey == entry.idempotencyKey, "\(entry.id) has another key")
        for other in known.values where !other.isFinished && other.entry.id != entry.id {
            guard other.entry.scope == entry.scope, other.entry.principal == entry.principal else { continue }
            check(!other.isInFlight, "\(entry.id) and \(other.entry.id) are sent at the same time")
            check(other.position > mine.position, "\(entry.id) is sent before \(other.entry.id)")
        }
        guard let creation = mine.entry.dependency else { return }
        counts.dependants += 1
        check(known[creation]?.isFinished != false, "\(entry.id) is sent before \(creation)")
        check(entry.request.address.url == urls[creation].map { $0 + "/x" }, "\(entry.id) has another address")
    }

    private mutating func end() {
        let sent = known.values.filter(\.isInFlight).map(\.entry.id).sorted()
        guard let id = sent.randomElement(using: &random) else { return }
        known[id]?.isInFlight = false
        let outcome = outcome(of: id)
        let step = rules.ended(id, outcome)
        switch outcome {
        case .success: finished(id)
        case .status(let status, _) where [400, 412].contains(status):
            known[id]?.uncertainKey = nil
            counts.refused += 1
        case .status, .noResponse, .notSent, .unsendable: break
        }
        unstored.append(step)
    }

    private mutating func outcome(of id: String) -> OutboxRules.Outcome {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<(isOver ? 90 : 40):
            // A server that knows the key repeats its response.
            if urls[id] == nil { urls[id] = "https://api.test/made/\(id)" }
            return .success(location: urls[id])
        case 0..<60: return .noResponse
        case 60..<75: return .status(400, message: "")
        case 75..<85: return .status(412, message: "")
        default: return .status([500, 503, 429, 408].randomElement(using: &random) ?? 500, message: "")
        }
    }

    private mutating func finished(_ id: String) {
        known[id]?.isFinished = true
        counts.confirmed += 1
    }

    private mutating func drop() throws {
        guard let id = rules.entries.filter({ $0.state != .sending }).randomElement(using: &random)?.id else { return }
        unstored.append(try rules.drop(id))
        known[id]?.isFinished = true
        dropped.insert(id)
        counts.dropped += 1
    }

    private mutating func queueAgain() throws {
        guard let id = rules.entries.filter(\.state.needsDecision).randomElement(using: &random)?.id else { return }
        let isEdit = chance(50)
        unstored.append(
            isEdit ? try rules.edit(id, at: .sample) { $0.settlement = 1 } : try rules.retry(id, at: .sample))
    }

    private mutating func pause() {
        guard let id = rules.entries.randomElement(using: &random)?.id else { return rules.resumeAll() }
        if chance(50), let pause = rules.pause(id) { pauses.append(pause) }
        if chance(50), let pause = pauses.popLast() { rules.resume(pause) }
    }

    // MARK: The store

    private mutating func store(_ step: OutboxStep) {
        unstored.append(step)
        store()
    }

    private mutating func store() {
        for step in unstored {
            for change in step.changes { write(change) }
            rules.stored(step)
            guard let entry = step.entry else { continue }
            known[entry.id]?.isReported = true
            check(entry.state != .confirmed || disk[entry.id] == nil, "\(entry.id) is confirmed and still stored")
        }
        unstored = []
    }

    private mutating func write(_ change: OutboxStoreChange) {
        switch change {
        case .write(let entry): disk[entry.id] = entry
        case .remove(let id): disk[id] = nil
        }
    }

    /// All attempts are interrupted. The process lives on.
    private mutating func restart() {
        rules.restarted()
        for id in known.keys { known[id]?.isInFlight = false }
    }

    /// The process dies. The first of the unstored changes may be on the disk.
    private mutating func crash() {
        counts.crashes += 1
        let changes = unstored.flatMap(\.changes)
        for change in changes.prefix(Int.random(in: 0...changes.count, using: &random)) { write(change) }
        unstored = []
        rules = OutboxRules(Array(disk.values))
        for (id, mine) in known {
            known[id]?.isInFlight = false
            // An entry that was not reported as accepted may be missing. A response that was not stored may be asked for
            // again.
            if disk[id] != nil { known[id]?.isFinished = false }
            if disk[id] == nil, !mine.isFinished {
                check(!mine.isReported, "\(id) was accepted and is not on the disk")
                known[id]?.isFinished = true
            }
            known[id]?.uncertainKey = disk[id].flatMap { $0.mayBeApplied ? $0.idempotencyKey : nil }
        }
    }

    private mutating func compare() {
        let expected = Set(known.values.filter { !$0.isFinished }.map(\.entry.id))
        check(Set(rules.entries.map(\.id)) == expected, "entries are lost, or were not removed")
        for entry in rules.entries {
            check((entry.state == .sending) == (known[entry.id]?.isInFlight ?? false), "\(entry.id) is \(entry.state)")
        }
        broken += rules.brokenInvariants
    }
}
