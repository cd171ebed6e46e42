import SiestaCore
import TestKit
import Testing

/// Code of the app never runs while the library changes a value, so it may call every function in every place. If the
/// library broke this rule, the process would end, because the runtime's exclusivity checks are enabled in tests.
@MainActor @Suite(.timeLimit(.test))
struct WalkTests {
    @Test(arguments: Walk.Place.all)
    func `Wherever code of the app runs, it may call everything`(_ place: Walk.Place) async {
        for action in Walk.Action.allCases {
            let walk = Walk(action)
            await place.lead(walk)
            #expect(walk.visits > 0, "\(action)")
        }
    }

    @Test func `A handler of log messages may log when it is released`() async {
        await #expect(processExitsWith: .success) {
            do {
                let farewell = SendableFarewell { SiestaLog.log(.network, ["released"]) }
                SiestaLog.messageHandler = { _, _ in _ = farewell }
            }
            SiestaLog.Category.enabled = .all
            SiestaLog.messageHandler = { _, _ in }
        }
    }
}
