import SiestaCore
import SiestaRetrying
import TestDoubles
import TestKit
import Testing

@MainActor @Suite(.timeLimit(.test))
struct ManualConditionsTests {
    private final class Owner {
        var calls: [Bool] = []
    }

    @Test func `A manual network status reports changes, and no equal values`() {
        let (status, owner) = (NetworkStatus(), Owner())
        status.onChange(owner: owner) { [unowned owner] in owner.calls.append(status.isConnected) }
        #expect(status.isConnected)
        for value in [true, false, false, true, true] { status.isConnected = value }
        #expect(owner.calls == [false, true])
        #expect(!NetworkStatus(isConnected: false).isConnected)
    }

    @Test func `A manual activity reports changes, and no equal values`() {
        let (activity, owner) = (AppActivity(), Owner())
        activity.onChange(owner: owner) { [unowned owner] in owner.calls.append(activity.isActive) }
        #expect(activity.isActive)
        for value in [true, false, false, true, true] { activity.isActive = value }
        #expect(owner.calls == [false, true])
        #expect(!AppActivity(isActive: false).isActive)
    }

    @Test func `A condition does not keep the owners of its handlers`() {
        let status = NetworkStatus()
        weak var owner: Owner?
        do {
            let new = Owner()
            owner = new
            status.onChange(owner: new) { [weak new] in new?.calls.append(true) }
        }
        #expect(owner == nil)
        status.isConnected = false
    }
}
