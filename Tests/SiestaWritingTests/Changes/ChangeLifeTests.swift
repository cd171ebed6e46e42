import SiestaCore
import TestKit
import Testing

@testable import SiestaWriting

@Suite(.timeLimit(.test))
struct ChangeLifeTests {
    private static let states: [PendingChange.State] = [
        .waiting, .sending, .resolving, .settling, .refused, .conflict, .succeeded, .failed,
    ]
    /// The states that can follow each state.
    private static let successors: [PendingChange.State: [PendingChange.State]] = [
        .waiting: states, .sending: states, .resolving: states, .refused: states, .conflict: states,
        .settling: [.settling, .succeeded, .failed], .succeeded: [.succeeded], .failed: [.failed],
    ]

    @Test(arguments: states, states)
    func `A state passes to those that can follow it, and stays otherwise`(
        state: PendingChange.State, next: PendingChange.State
    ) {
        var life = ChangeLife()
        life.pass(to: state)
        life.pass(to: next)
        let permitted = Self.successors[state] ?? []
        #expect(life.state == (permitted.contains(next) ? next : state))
    }

    @Test(arguments: states)
    func `A change is pending until it has succeeded or failed`(state: PendingChange.State) {
        var life = ChangeLife()
        life.pass(to: state)
        #expect(life.isPending == ![.succeeded, .failed].contains(state))
        #expect(life.isConfirmed == [.settling, .succeeded].contains(state))
    }

    @Test func `Each conflict about which the app is asked counts`() {
        var life = ChangeLife()
        for state in [.sending, .resolving, .waiting, .sending, .resolving] as [PendingChange.State] {
            life.pass(to: state)
        }
        #expect(life.conflictCount == 2)
        life.pass(to: .failed)
        life.pass(to: .resolving)
        #expect(life.conflictCount == 2)
    }
}
