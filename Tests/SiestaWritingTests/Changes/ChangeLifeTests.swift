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
        _ = life.pass(to: state)
        let isPermitted = Self.successors[state]?.contains(next) ?? false
        #expect(life.pass(to: next) == isPermitted)
        #expect(life.state == (isPermitted ? next : state))
    }

    @MainActor @Test func `An illegal step of a change is noted, and changes nothing`() {
        let resource = Service(baseURL: "http://api.test").resource("/users/1")
        let change = PendingChange(of: resource, .patch, nil, [], ChangeOptions(), nil)
        for state in [.sending, .settling, .settling, .succeeded, .succeeded] as [PendingChange.State] {
            change.pass(to: state)
        }
        #expect(resource.context.changes?.illegalStep == nil)
        change.pass(to: .sending)
        #expect(resource.context.changes?.illegalStep == "succeeded -> sending")
        #expect(change.state == .succeeded)
    }

    @Test(arguments: states)
    func `A change is pending until it has succeeded or failed`(state: PendingChange.State) {
        var life = ChangeLife()
        _ = life.pass(to: state)
        #expect(life.isPending == ![.succeeded, .failed].contains(state))
        #expect(life.isConfirmed == [.settling, .succeeded].contains(state))
    }

    @Test func `Each conflict about which the app is asked counts`() {
        var life = ChangeLife()
        for state in [.sending, .resolving, .waiting, .sending, .resolving] as [PendingChange.State] {
            _ = life.pass(to: state)
        }
        #expect(life.conflictCount == 2)
        _ = life.pass(to: .failed)
        _ = life.pass(to: .resolving)
        #expect(life.conflictCount == 2)
    }
}
