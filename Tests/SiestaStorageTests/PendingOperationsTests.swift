import Foundation
import SiestaCore
import TestKit
import Testing

@testable import SiestaCaches

/// The results of reads while changes have not reached the store.
@Suite(.timeLimit(.test))
struct PendingOperationsTests {
    private let a = Self.key("a", of: "ada")
    private let b = Self.key("b", of: "bob")

    private static func key(_ address: String, of principal: String) -> CacheKey {
        CacheKey(principal: principal, address: address, coding: .data)
    }

    private func entity(_ text: String, at timestamp: TimeInterval = 1) -> Entity<Any> {
        Entity<Any>(content: text, headers: ["ETag": text], timestamp: timestamp)
    }

    /// A server's confirmation that a version was current at a time.
    private func confirmation(
        _ timestamp: TimeInterval, of version: String? = nil, under key: CacheKey
    ) -> PendingOperations.Confirmation {
        PendingOperations.Confirmation(
            timestamp: timestamp, validator: version.flatMap { entity($0).validator }, key: key)
    }

    private func changes(_ make: (inout PendingOperations) -> Void) -> PendingOperations {
        var changes = PendingOperations()
        make(&changes)
        return changes
    }

    private func told(_ answer: PendingOperations.Answer) -> String {
        switch answer {
        case .entity(let entity, _): "\(entity.content) at \(entity.timestamp)"
        case .nothing: "nothing"
        case .unknown(let confirmations): "unknown" + confirmations.list.map { " at \($0.timestamp)" }.joined()
        }
    }

    @Test func `Nothing asked for, nothing known`() {
        #expect(PendingOperations().isEmpty)
        #expect(told(PendingOperations().answer(forKey: a)) == "unknown")
    }

    @Test func `The last change of a record counts, at the place where it was asked for`() {
        let changes = changes {
            $0.write(entity("first"), forKey: a)
            $0.write(entity("other"), forKey: b)
            $0.write(entity("second"), forKey: a)
        }
        #expect(told(changes.answer(forKey: a)) == "second at 1.0")
        #expect(changes.entries.map(\.key.address) == ["b", "a"])
    }

    @Test
    func `A timestamp changes a pending write, waits for a stored record, and does not bring back a removed one`() {
        let written = changes {
            $0.write(entity("x"), forKey: a)
            $0.confirm(confirmation(5, under: a))
        }
        #expect(told(written.answer(forKey: a)) == "x at 5.0")
        let stored = changes { $0.confirm(confirmation(5, under: a)) }
        #expect(told(stored.answer(forKey: a)) == "unknown at 5.0")
        let removed = changes {
            $0.remove(a)
            $0.confirm(confirmation(5, under: a))
        }
        #expect(told(removed.answer(forKey: a)) == "nothing")
    }

    @Test func `What is said of one version changes no other`() {
        let written = changes {
            $0.write(entity("x"), forKey: a)
            $0.confirm(confirmation(5, of: "x", under: a))
            $0.confirm(confirmation(9, of: "old", under: a))
        }
        #expect(told(written.answer(forKey: a)) == "x at 5.0")
        let later = changes { $0.confirm(confirmation(7, of: "old", under: a)) }
        #expect(told(later.answer(forKey: a).orElse(written.answer(forKey: a))) == "x at 5.0")
    }

    /// The headers of an answer, without the entity tag.
    private func headers(_ answer: PendingOperations.Answer) -> [String: String] {
        switch answer {
        case .entity(let entity, _): entity.headers.filter { $0.key != "etag" }
        case .nothing: [:]
        case .unknown(let confirmations): confirmations.list.last?.headers ?? [:]
        }
    }

    private func confirmation(
        _ headers: [String: String], of version: String? = nil
    ) -> PendingOperations.Confirmation {
        var confirmation = confirmation(5, of: version, under: a)
        confirmation.headers = headers
        return confirmation
    }

    @Test func `The headers of all confirmations of a version count, the newest first`() {
        let (first, second) = (["a": "1", "b": "1"], ["b": "2", "c": "2"])
        let both = ["a": "1", "b": "2", "c": "2"]
        let one = changes { $0.confirm(confirmation(first)) }
        let other = changes { $0.confirm(confirmation(second)) }
        let stored = changes {
            $0.confirm(confirmation(first))
            $0.confirm(confirmation(second))
        }
        let written = changes {
            $0.write(entity("x"), forKey: a)
            $0.confirm(confirmation(first))
            $0.confirm(confirmation(second))
        }
        #expect(headers(stored.answer(forKey: a)) == both)
        #expect(headers(written.answer(forKey: a)) == both)
        #expect(headers(other.answer(forKey: a).orElse(one.answer(forKey: a))) == both)
        let plain = changes { $0.write(entity("x"), forKey: a) }
        #expect(headers(other.answer(forKey: a).orElse(plain.answer(forKey: a))) == second)
    }

    @Test func `The headers of another version do not count`() {
        let changes = changes {
            $0.confirm(confirmation(["a": "1"], of: "\"old\""))
            $0.confirm(confirmation(["b": "2"], of: "\"new\""))
        }
        #expect(headers(changes.answer(forKey: a)) == ["b": "2"])
    }

    @Test func `Removing a partition drops what was asked for, and nothing of others`() {
        let changes = changes {
            $0.write(entity("x"), forKey: a)
            $0.write(entity("y"), forKey: b)
            $0.removePartition(a.storeKey.partition)
        }
        #expect(told(changes.answer(forKey: a)) == "nothing")
        #expect(told(changes.answer(forKey: b)) == "y at 1.0")
        #expect(changes.removedPartitions == [a.storeKey.partition])
        #expect(!changes.isEmpty)
    }

    @Test func `Removing everything stands for all removals before, and lets later writes be`() {
        let changes = changes {
            $0.removePartition(a.storeKey.partition)
            $0.write(entity("x"), forKey: b)
            $0.removeAll()
            $0.removePartition(b.storeKey.partition)
            $0.write(entity("y"), forKey: a)
            $0.confirm(confirmation(3, under: b))
        }
        #expect(changes.removesAll)
        #expect(changes.removedPartitions.isEmpty)
        #expect(told(changes.answer(forKey: a)) == "y at 1.0")
        #expect(told(changes.answer(forKey: b)) == "nothing")
    }

    @Test func `Later changes are asked first, and earlier ones where those do not know`() {
        let earlier = changes {
            $0.write(entity("x"), forKey: a)
            $0.remove(b)
        }
        func both(_ key: CacheKey, _ make: (inout PendingOperations) -> Void) -> String {
            told(changes(make).answer(forKey: key).orElse(earlier.answer(forKey: key)))
        }
        #expect(both(a) { _ in } == "x at 1.0")
        #expect(both(a) { $0.confirm(confirmation(9, under: a)) } == "x at 9.0")
        #expect(both(a) { $0.removeAll() } == "nothing")
        #expect(both(b) { $0.confirm(confirmation(9, under: b)) } == "nothing")
        #expect(both(b) { $0.write(entity("y"), forKey: b) } == "y at 1.0")
    }

    @Test func `A write that clears its place still does so if it follows earlier changes of other records`() {
        let key = CacheKey(
            principal: "ada", address: "a", coding: .data, requestHeaders: ["Accept-Language": "en"])
        let variant = Entity<Any>(content: "en", headers: ["Vary": "Accept-Language"], timestamp: 1)
        let earlier = changes { $0.write(entity("y"), forKey: b) }
        let later = changes {
            $0.remove(key)
            $0.write(variant, forKey: key)
        }
        for changes in [later, earlier.followed(by: later)] {
            let last = changes.entries.last
            #expect(last?.key.address == "a")
            #expect(last?.key.slot != 0)
            #expect(last?.clearsPlace == true)
        }
    }
}
