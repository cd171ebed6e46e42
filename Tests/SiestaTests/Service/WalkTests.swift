import Siesta
import Testing

/// Code of the app never runs while the library is in the middle of a change: wherever it has its turn, it may call
/// anything. If not so, the process ends, since the compiler's checks of exclusive access are on in tests.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct WalkTests {
    @Test("Wherever code of the app runs, it may call everything", arguments: Walk.Place.all)
    func callsEverything(_ place: Walk.Place) async {
        for action in Walk.Action.allCases {
            let walk = Walk(action)
            await place.lead(walk)
            #expect(walk.visits > 0, "\(action)")
        }
    }

    @Test("A handler of log messages may log when it is released")
    func logsWhenReleased() async {
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
