import Foundation
import TestKit
import Testing

@testable import EmbeddedGitHub

@Suite("A deadline counts down", .timeLimit(.test))
struct DeadlineTests {
    @Test("from nothing to nothing", arguments: [0, -1, -.infinity, .nan] as [TimeInterval])
    func over(seconds: TimeInterval) {
        #expect(Deadline(after: seconds).isOver)
    }

    @Test("for ever if it is far", arguments: [.infinity, 1e300] as [TimeInterval])
    func never(seconds: TimeInterval) {
        #expect(Deadline(after: seconds).milliseconds == -1)
    }

    @Test("and otherwise in milliseconds that fit")
    func between() {
        #expect((3_000_000...3_600_000).contains(Deadline(after: 3600).milliseconds))
        #expect(Deadline(after: 3_000_000_000).milliseconds == .max)
    }
}
