import Foundation
import HTTPRules
import TestKit
import Testing
@testable import SiestaCore

/// The memory of past invalidations.
@MainActor @Suite(.timeLimit(.test))
struct InvalidationLogTests {
    private static let address = "https://a.test/users?page=2"

    private func isOutdated(_ log: InvalidationLog, _ timestamp: TimeInterval, tags: Set<String> = []) throws -> Bool {
        log.isOutdated(timestamp, at: Self.address, url: try #require(URL(string: Self.address)), tags: tags)
    }

    @Test func `Older data is outdated, newer data is not`() throws {
        for target in [
            InvalidationTarget(tags: ["t"]),
            InvalidationTarget(groups: ["t"], origin: URLOrigin(text: "https://a.test")),
            InvalidationTarget(paths: ["https://a.test/users"]),
            InvalidationTarget(matches: { $0.path == "/users" }),
        ] {
            var log = InvalidationLog()
            _ = log.note(target, at: 100)
            #expect(try isOutdated(log, 99, tags: ["t"]))
            #expect(try isOutdated(log, 100, tags: ["t"]))
            #expect(try !isOutdated(log, 101, tags: ["t"]))
        }
    }

    @Test func `Other data is not outdated`() throws {
        for target in [
            InvalidationTarget(tags: ["other"]),
            InvalidationTarget(groups: ["t"], origin: URLOrigin(text: "https://b.test")),
            InvalidationTarget(paths: ["https://a.test/users/1"]),
            InvalidationTarget(matches: { _ in false }),
        ] {
            var log = InvalidationLog()
            _ = log.note(target, at: 100)
            #expect(try !isOutdated(log, 50, tags: ["t"]))
        }
    }

    @Test func `An address can be outdated by itself`() throws {
        var log = InvalidationLog()
        _ = log.note(address: Self.address, at: 100)
        #expect(try isOutdated(log, 100))
        #expect(try !isOutdated(log, 101))
    }

    @Test func `A full log forgets its oldest entries, and then all data of their time is outdated`() throws {
        var log = InvalidationLog(limit: 8)
        for time in 1...8 { _ = log.note(InvalidationTarget(tags: ["\(time)"]), at: TimeInterval(time)) }
        #expect(try !isOutdated(log, 1))
        _ = log.note(InvalidationTarget(matches: { _ in false }), at: 9)
        #expect(try isOutdated(log, 1))
        #expect(try isOutdated(log, 3))
        #expect(try !isOutdated(log, 4))
        #expect(try isOutdated(log, 4, tags: ["4"]))
        #expect(try isOutdated(log, 8, tags: ["8"]))
    }

    @Test func `A full log keeps its newest patterns`() throws {
        var log = InvalidationLog(limit: 8)
        for time in 1...9 { _ = log.note(InvalidationTarget(matches: { _ in true }), at: TimeInterval(time)) }
        #expect(try isOutdated(log, 9))
        #expect(try !isOutdated(log, 10))
    }

    @Test func `A log has a bounded size`() throws {
        var log = InvalidationLog(limit: 64)
        for time in 1...10_000 { _ = log.note(InvalidationTarget(tags: ["\(time)"]), at: TimeInterval(time)) }
        #expect(try isOutdated(log, 9_900))
        #expect(try !isOutdated(log, 9_999, tags: ["9998"]))
        #expect(log.count <= 64)
    }
}
