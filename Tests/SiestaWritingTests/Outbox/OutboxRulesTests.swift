import Foundation
import OutboxTorture
import SiestaCore
import TestKit
import Testing

@testable import SiestaWriting

@Suite(.timeLimit(.test))
struct OutboxRulesTests {
    private var rules = OutboxRules()

    // MARK: Order

    @Test mutating func `Entries of one scope are sent one after another, in the order of acceptance`() throws {
        for id in ["1", "2", "3"] { try rules.take(.sample(id)) }
        try rules.take(.sample("b", scope: "b"))
        #expect(rules.next(for: nil, isConnected: false) == nil)
        #expect(try rules.send() == "1")
        #expect(try rules.send() == "b")
        #expect(try rules.send() == nil)
        rules.end("1", .noResponse)
        #expect(try rules.send() == "1")
        rules.end("1", .success(location: nil))
        #expect(try rules.send() == "2")
        #expect(rules.obstacle(for: "3") == .earlierEntry(id: "2"))
    }

    @Test mutating func `The oldest entry is returned until it is started`() throws {
        try rules.take(.sample("1"))
        try rules.take(.sample("b", scope: "b"))
        for _ in 0..<3 { #expect(rules.next(for: nil, isConnected: true)?.id == "1") }
        #expect(throws: OutboxError.notSendable(id: "1")) {
            _ = try rules.started("1")
            _ = try rules.started("1")
        }
    }

    @Test mutating func `An entry is sent only for its principal`() throws {
        try rules.take(.sample("ada", principal: "ada"))
        try rules.take(.sample("nobody"))
        #expect(rules.next(for: "bob", isConnected: true) == nil)
        #expect(try rules.send(for: "ada") == "ada")
        #expect(try rules.send() == "nobody", "the scope of another principal does not block")
        #expect(rules.next(for: "ada", isConnected: true) == nil)
    }

    @Test mutating func `Nothing is sent in a scope before its last change is stored`() throws {
        let first = try rules.accept(.sample("1"))
        #expect(first.changes == [.write(try #require(rules["1"]))])
        #expect(rules.next(for: nil, isConnected: true) == nil)
        let second = try rules.accept(.sample("2"))
        rules.stored(first)
        #expect(rules.next(for: nil, isConnected: true) == nil)
        rules.stored(second)
        #expect(try rules.send() == "1")
        let end = rules.ended("1", .success(location: nil))
        #expect(end.changes == [.remove(id: "1")])
        #expect(end.entry?.state == .confirmed)
        #expect(rules.next(for: nil, isConnected: true) == nil)
        rules.stored(end)
        #expect(try rules.send() == "2")
    }

    @Test mutating func `An entry that was not stored is not accepted`() throws {
        let step = try rules.accept(.sample("1"))
        rules.withdraw(step)
        #expect(rules.count == 0)
        #expect(rules.bytes == 0)
        try rules.take(.sample("1"))
        #expect(try rules.send() == "1")
    }

    @Test mutating func `A pause holds up one scope`() throws {
        try rules.take(.sample("1"))
        try rules.take(.sample("b", scope: "b"))
        let first = rules.pause("1")
        let pause = try #require(first)
        #expect(try rules.send() == "b")
        #expect(try rules.send() == nil)
        rules.resume(pause)
        #expect(try rules.send() == "1")
        rules.end("1", .noResponse)
        _ = rules.pause("1")
        rules.resume(pause)
        #expect(try rules.send() == nil)
        rules.resumeAll()
        #expect(try rules.send() == "1")
    }

    @Test mutating func `A cancelled entry is not sent, and holds up its scope until it is dropped`() throws {
        for id in ["1", "2"] { try rules.take(.sample(id)) }
        for id in ["1", "unknown"] { rules.cancel(id) }
        #expect(rules.cancelled == ["1"])
        #expect(try rules.send() == nil)
        #expect(throws: OutboxError.notSendable(id: "1")) { try rules.started("1") }
        #expect(rules.obstacle(for: "2") == .earlierEntry(id: "1"))
        rules.stored(try rules.drop("1"))
        #expect(rules.cancelled.isEmpty)
        #expect(try rules.send() == "2")
    }

    @Test mutating func `An entry that is cancelled while it is being sent is not sent again`() throws {
        try rules.take(.sample("1"))
        #expect(try rules.send() == "1")
        rules.cancel("1")
        rules.end("1", .noResponse)
        #expect(try rules.send() == nil)
        rules.stored(try rules.drop("1"))
        #expect(rules.brokenInvariants.isEmpty)
        #expect(rules.count == 0)
    }

    // MARK: Outcomes

    enum Verdict: Sendable { case confirmed, refused, conflict, again }

    @Test(arguments: [
        (200, Verdict.confirmed), (204, .confirmed), (301, .refused), (304, .refused), (400, .refused),
        (401, .refused), (403, .refused), (404, .refused), (408, .again), (409, .conflict), (410, .refused),
        (412, .conflict), (422, .refused), (423, .again), (425, .again), (428, .conflict), (429, .again),
        (499, .refused), (500, .again), (503, .again), (999, .again), (0, .again), (100, .again),
    ])
    func `The status of a response decides`(status: Int, verdict: Verdict) throws {
        var rules = rules
        try rules.take(.sample("1"))
        _ = try rules.send()
        let changes = rules.end("1", .status(status, message: "Why"))
        let expected: Outbox.Entry.State? =
            switch verdict {
            case .confirmed: nil
            case .refused: .refused(status: status, message: "Why")
            case .conflict: .conflict(status: status)
            case .again: .queued
            }
        #expect(rules["1"]?.state == expected)
        #expect(changes == [rules["1"].map { .write($0) } ?? .remove(id: "1")])
        #expect(rules["1"]?.idempotencyKey ?? "1" == "1")
    }

    @Test mutating func `A late outcome changes nothing`() throws {
        try rules.take(.sample("1"))
        #expect(rules.end("1", .success(location: nil)).isEmpty)
        #expect(rules.end("2", .noResponse).isEmpty)
        #expect(rules["1"]?.state == .queued)
    }

    @Test mutating func `A refused or conflicting entry blocks its scope until the app decides`() throws {
        for status in [422, 412] {
            try rules.take(.sample("1"))
            try rules.take(.sample("2"))
            try rules.take(.sample("b\(status)", scope: "b\(status)"))
            _ = try rules.send()
            rules.end("1", .status(status, message: ""))
            #expect(try rules.send() == "b\(status)")
            #expect(try rules.send() == nil)
            #expect(rules.obstacle(for: "2") == .earlierEntry(id: "1"))
            rules.stored(try rules.drop("1"))
            #expect(try rules.send() == "2")
            rules.end("2", .success(location: nil))
        }
    }

    // MARK: Restart

    @Test mutating func `After a restart an interrupted entry is sent again with its key, before all others`() throws {
        try rules.take(.sample("1"))
        try rules.take(.sample("2"))
        _ = try rules.send()
        var stored = OutboxRules(rules.entries)
        rules.restarted()
        for var rules in [rules, stored] {
            #expect(rules["1"]?.attempts == 1)
            #expect(try rules.send() == "1")
            #expect(rules["1"]?.idempotencyKey == "1")
        }
        #expect(try stored.send() == "1")
        try stored.take(.sample("3"))
        #expect(stored.entries.map(\.id) == ["1", "2", "3"])
    }

    @Test func `Stored entries with the same number all remain`() {
        let rules = OutboxRules([.sample("1"), .sample("2"), .sample("3")])
        #expect(rules.count == 3)
        #expect(Set(rules.entries.map(\.number)).count == 3)
    }

    // MARK: Decisions

    @Test mutating func `A retry after a refusal has a new key, because a server may repeat its response`() throws {
        try rules.take(.sample("1"))
        _ = try rules.send()
        #expect(throws: OutboxError.isBeingSent(id: "1")) { try rules.retry("1", at: .sample) }
        #expect(throws: OutboxError.isBeingSent(id: "1")) { try rules.drop("1") }
        rules.end("1", .noResponse)
        #expect(throws: OutboxError.needsNoDecision(id: "1")) { try rules.retry("1", at: .sample) }
        _ = try rules.send()
        rules.end("1", .status(400, message: ""))
        rules.stored(try rules.retry("1", at: .sample, key: "new"))
        #expect(rules["1"]?.idempotencyKey == "new")
        #expect(rules["1"]?.attempts == 0)
        #expect(rules["1"]?.id == "1")
        #expect(try rules.send() == "1")
    }

    @Test mutating func `An edit keeps the place, and is impossible while the server may have applied the change`()
        throws
    {
        try rules.take(.sample("1"))
        try rules.take(.sample("2"))
        rules.stored(
            try rules.edit("1", at: .sample + 9, key: "new") {
                $0.request.body = .bytes(Data([1]))
                $0.state = .confirmed
            })
        #expect(rules["1"]?.request.body == .bytes(Data([1])))
        #expect(rules["1"]?.idempotencyKey == "1", "it was never sent")
        #expect(rules["1"]?.state == .queued)
        _ = try rules.send()
        #expect(throws: OutboxError.isBeingSent(id: "1")) { try rules.edit("1", at: .sample) { _ in } }
        rules.end("1", .noResponse)
        #expect(throws: OutboxError.mayBeApplied(id: "1")) { try rules.edit("1", at: .sample) { _ in } }
        _ = try rules.send()
        rules.end("1", .status(412, message: ""))
        rules.stored(try rules.edit("1", at: .sample, key: "new") { $0.request.precondition = Outbox.Condition() })
        #expect(rules["1"]?.idempotencyKey == "new")
        #expect(try rules.send() == "1")
        #expect(throws: OutboxError.unknownEntry(id: "x")) { try rules.edit("x", at: .sample) { _ in } }
    }

    // MARK: Dependencies

    private static func dependant(_ id: String, scope: String = "d", on creation: String = "c") -> Outbox.Entry {
        var entry = Outbox.Entry.sample(
            id, scope: scope, dependency: creation, method: "PATCH", address: .created(by: creation, path: "x"))
        entry.edits = [Outbox.StoredEdit(address: .created(by: creation, path: ""), delta: Data())]
        return entry
    }

    @Test mutating func `A dependant is sent after the creation, to the URL of its Location field`() throws {
        try rules.take(.sample("c"))
        try rules.take(Self.dependant("d"))
        #expect(rules.obstacle(for: "d") == .creation(id: "c"))
        #expect(try rules.send() == "c")
        #expect(try rules.send() == nil)
        let step = rules.ended("c", .success(location: "/items/7"))
        let resolved = try #require(rules["d"])
        #expect(step.changes == [.write(resolved), .remove(id: "c")], "the address is stored before the creation goes")
        #expect(resolved.request.address == .url("https://api.test/items/7/x"))
        #expect(resolved.edits.first?.address == .url("https://api.test/items/7"))
        #expect(rules.next(for: nil, isConnected: true) == nil)
        rules.stored(step)
        #expect(try rules.send() == "d")
    }

    @Test mutating func `After a crash between two changes of a step, the creation is sent again before its dependant`()
        throws
    {
        try rules.take(.sample("c"))
        try rules.take(Self.dependant("d"))
        var disk = rules.entries
        _ = try rules.send()
        let step = rules.ended("c", .success(location: "7"))
        if case .write(let entry)? = step.changes.first { disk[1] = entry }
        var restarted = OutboxRules(disk)
        #expect(try restarted.send() == "c")
        #expect(try restarted.send() == nil)
        restarted.end("c", .success(location: "7"))
        #expect(try restarted.send() == "d")
    }

    @Test mutating func `Dependants of a refused, dropped or unnamed creation stay visible, and can get an address`()
        throws
    {
        for isDropped in [true, false] {
            try rules.take(.sample("c"))
            try rules.take(Self.dependant("d"))
            _ = try rules.send()
            if isDropped {
                rules.end("c", .status(403, message: ""))
                #expect(rules.obstacle(for: "d") == .creation(id: "c"))
                rules.stored(try rules.drop("c"))
            } else {
                rules.end("c", .success(location: nil))
            }
            #expect(rules.obstacle(for: "d") == .unknownAddress)
            #expect(try rules.send() == nil)
            rules.stored(try rules.edit("d", at: .sample) { $0.request.address = .url("https://api.test/items/8") })
            #expect(rules.obstacle(for: "d") == nil)
            #expect(try rules.send() == "d")
            rules.end("d", .success(location: nil))
        }
    }

    @Test mutating func `A dependency must be in the outbox and belong to the same principal`() throws {
        #expect(throws: OutboxError.unknownDependency(id: "c")) { try rules.accept(Self.dependant("d")) }
        try rules.take(.sample("c", principal: "ada"))
        #expect(throws: OutboxError.unknownDependency(id: "c")) { try rules.accept(Self.dependant("d")) }
        #expect(throws: OutboxError.unknownDependency(id: "c")) {
            try rules.accept(.sample("d", principal: "ada", address: .created(by: "c", path: "")))
        }
        #expect(rules.count == 1)
    }

    // MARK: Limits

    @Test func `The number and the bytes are limited, and the error says which limit`() throws {
        var rules = OutboxRules()
        (rules.limits.entries, rules.limits.bytes) = (2, 2000)
        let large = Outbox.Entry.sample("large", body: .bytes(Data(count: 2000)))
        #expect(throws: OutboxError.tooManyBytes(limit: 2000)) { try rules.accept(large) }
        let kept = Outbox.Entry.sample("kept", body: .kept(name: "n", length: 2000))
        #expect(throws: OutboxError.tooManyBytes(limit: 2000)) { try rules.accept(kept) }
        try rules.take(.sample("1"))
        #expect(throws: OutboxError.duplicate(id: "1")) { try rules.accept(.sample("1")) }
        try rules.take(.sample("2", body: .referenced(path: "/x", length: 1 << 40, modified: 0)))
        #expect(throws: OutboxError.tooManyEntries(limit: 2)) { try rules.accept(.sample("3")) }
        #expect(throws: OutboxError.tooManyBytes(limit: 2000)) {
            try rules.edit("1", at: .sample) { $0.request.body = .bytes(Data(count: 2000)) }
        }
        #expect(rules["1"]?.request.body == Outbox.Body.none)
        for id in ["1", "2"] { rules.stored(try rules.drop(id)) }
        #expect(rules.bytes == 0)
    }

    @Test(arguments: [
        "https://ada:secret@api.test/", "https://ada:secret@api.test:port/", "https://ada:secret@a b/",
        "https://ada:se/cret@api.test/", "https://ada:secret@/items", "ht tp://ada:secret@api.test/",
        "https:/ada:secret@api.test/", "https:\\\\ada:secret@api.test/", "https://ada:secret@[::1/",
    ])
    func `An address with a password is not accepted, even if it is no URL`(address: String) throws {
        var rules = rules
        let entry = Outbox.Entry.sample("1", address: .url(address))
        #expect(throws: OutboxError.credentialsInAddress) { try rules.accept(entry) }
        try rules.take(.sample("2", address: .url("https://api.test/@me?to=a@b")))
    }

    @Test func `Old entries are refused, and stay`() throws {
        var rules = OutboxRules()
        rules.limits.age = .seconds(60)
        for id in ["1", "2"] { try rules.take(.sample(id)) }
        try rules.take(.sample("b", scope: "b"))
        #expect(try rules.send() == "1")
        #expect(rules.expire(at: .sample + 60, message: "Old").changes.isEmpty)
        let step = rules.expire(at: .sample + 61, message: "Old")
        rules.stored(step)
        #expect(step.changes.count == 2)
        #expect(rules["2"]?.state == .refused(status: nil, message: "Old"))
        #expect(rules["1"]?.state == .sending, "an entry is not refused while it is being sent")
        rules.end("1", .noResponse)
        rules.stored(rules.expire(at: .sample + 61, message: "Old"))
        #expect(rules["1"]?.state == .refused(status: nil, message: "Old"))
        #expect(try rules.send() == nil)
        rules.stored(try rules.retry("1", at: .sample + 61, key: "new"))
        #expect(rules["1"]?.idempotencyKey == "1", "the server may have applied the first attempt")
        #expect(rules.expire(at: .sample + 100, message: "Old").changes.isEmpty)
        #expect(try rules.send() == "1")
        #expect(rules.count == 3)
    }

    @Test mutating func `A pause for which the server has asked outlasts the last entry of its scope`() throws {
        try rules.take(.sample("1"))
        _ = try rules.send()
        rules.end("1", .noResponse)
        let asked = rules.pause("1", isAsked: true)
        let pause = try #require(asked)
        rules.stored(try rules.drop("1"))
        try rules.take(.sample("2"))
        #expect(try rules.send() == nil)
        rules.resume(pause)
        #expect(try rules.send() == "2")
        rules.end("2", .success(location: nil))
        #expect(rules.lanes.isEmpty)
    }

    @Test func `The numbers after entries that cannot be read follow the time`() throws {
        let day = Date(timeIntervalSinceReferenceDate: 800_000_000)
        var stored = Outbox.Entry.sample("a")
        stored.number = 800_000_000_001
        var second = OutboxRules([stored])
        second.passUnreadable(at: day + 3600)
        var third = OutboxRules()
        third.passUnreadable(at: day + 86_400)
        #expect(second.nextNumber < third.nextNumber)
        #expect(second.nextNumber > stored.number)
    }
}
