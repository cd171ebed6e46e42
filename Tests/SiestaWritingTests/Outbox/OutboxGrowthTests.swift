import Foundation
import OutboxTorture
import SiestaCore
import TestKit
import Testing

@testable import SiestaWriting

/// The cost of operations with many entries.
@Suite(.serialized, .timeLimit(.model))
struct OutboxGrowthTests {
    /// Returns the shortest processor time, in nanoseconds, of one cycle of accept, next, start, end and drop, with `count` other entries.
    private func cycle(with count: Int) throws -> UInt64 {
        var rules = OutboxRules()
        rules.limits.entries = 1 << 20
        // Each scope has two entries. The first waits for its response, so that no other entry can be sent.
        for number in 0..<count {
            try rules.take(.sample("\(number)", scope: "\(number / 2)"))
            if number % 2 == 0 { _ = try rules.send() }
        }
        var shortest = UInt64.max
        for round in 0..<5 {
            let start = Growth.processorTime
            for number in 0..<200 {
                let id = "\(round) \(number)"
                try rules.take(.sample(id, scope: "new"))
                #expect(try rules.send() == id)
                rules.end(id, .noResponse)
                if number % 2 == 0 {
                    rules.stored(try rules.drop(id))
                } else {
                    #expect(try rules.send() == id)
                    rules.end(id, .success(location: nil))
                }
                rules.stored(rules.expire(at: .sample, message: ""))
            }
            shortest = min(shortest, Growth.processorTime - start)
        }
        #expect(rules.count == count)
        return shortest / 200
    }

    @Test func `The cost of an operation does not depend on the number of entries`() throws {
        let (few, many) = (try cycle(with: 20), try cycle(with: 20_000))
        #expect(many < few * 5, "\(few) ns with 20 entries, \(many) ns with 20 000")
    }

    @Test func `Finished entries leave nothing behind`() throws {
        var rules = OutboxRules()
        try rules.take(.sample("first", scope: "first"))
        for number in 0..<10_000 {
            try rules.take(.sample("\(number)", scope: "\(number)"))
            rules.stored(try rules.drop("\(number)"))
        }
        #expect(rules.heldNumbers < 500)
        #expect(rules.count == 1)
        #expect(try rules.send() == "first")
    }
}

/// The cost of the changes that an outbox shows.
@MainActor @Suite(.serialized, .timeLimit(.model))
struct KeptChangesGrowthTests {
    @Test func `The search for a later change does not depend on the number of other scopes`() {
        let resource = Service(baseURL: "http://api.test").resource("/users/1")
        let growth = Growth(of: 300) { count in
            (0..<count).map { number in
                var options = ChangeOptions()
                options.scope = "\(number)"
                return PendingChange(of: resource, .patch, nil, [], options, nil)
            }
        } _: { changes in
            var kept = KeptChanges()
            for (number, change) in changes.enumerated() { kept["\(number)"] = change }
            for change in changes { #expect(!kept.hasWaiting(besides: change)) }
        }
        #expect(growth.isBounded, "\(growth)")
    }
}
