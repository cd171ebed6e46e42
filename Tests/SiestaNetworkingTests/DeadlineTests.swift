import Foundation
import LoopbackServer

import TestKit
import Testing

@testable import SiestaCore
@testable import SiestaNetworking

@Suite(.timeLimit(.test))
struct DeadlineTests {
    @Test func `The action happens when the time is up`() async {
        let fired = Gate()
        let deadline = Deadline(after: 0.01) { fired.open() }
        await fired.wait()
        deadline.cancel()
    }

    @Test func `Cancelling frees the action at once, however far the deadline is`() async {
        let freed = Gate()
        let deadline = Deadline(after: 1_000_000) { [witness = Witness(freed)] in _ = witness }
        deadline.cancel()
        await freed.wait()
    }

    private final class Witness: Sendable {
        let freed: Gate

        init(_ freed: Gate) {
            self.freed = freed
        }

        deinit {
            freed.open()
        }
    }
}
