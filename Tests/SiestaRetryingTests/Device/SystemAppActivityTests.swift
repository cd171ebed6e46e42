#if os(Linux)
import Foundation
import Synchronization
import TestDoubles
import TestKit
import Testing
import Waiting

import SiestaRetrying
@testable import SiestaCore
@testable import SiestaNetworking

@MainActor @Suite(.serialized, .timeLimit(.test))
struct SystemAppActivityTests {
    private final class Owner {
        var calls = 0
    }

    private static let callsOfApp = Atomic<Int>(0)

    @Test func `The signal that continues the process calls the handlers`() async throws {
        let (activity, owner) = (AppActivity.system, Owner())
        activity.onChange(owner: owner) { [unowned owner] in owner.calls += 1 }
        for call in 1...3 {
            #expect(kill(getpid(), SIGCONT) == 0)
            try await Poll.until { owner.calls == call }
            #expect(activity.isActive)
        }
    }

    @Test func `A handler that the app has set before is called too`() async throws {
        let owner = Owner()
        AppActivity.system.onChange(owner: owner) { [unowned owner] in owner.calls += 1 }
        var earlier = sigaction()
        #expect(sigaction(SIGCONT, nil, &earlier) == 0)
        signal(SIGCONT) { number in
            if number == SIGCONT { SystemAppActivityTests.callsOfApp.add(1, ordering: .relaxed) }
        }
        _ = try #require(ContinueSignal.handle())
        _ = try #require(ContinueSignal.handle())  // has no effect
        #expect(kill(getpid(), SIGCONT) == 0)
        try await Poll.until { owner.calls == 1 }
        try await Poll.until { Self.callsOfApp.load(ordering: .relaxed) == 1 }
        #expect(sigaction(SIGCONT, &earlier, nil) == 0)
        #expect(kill(getpid(), SIGCONT) == 0)
        try await Poll.until { owner.calls == 2 }
    }
}
#endif
