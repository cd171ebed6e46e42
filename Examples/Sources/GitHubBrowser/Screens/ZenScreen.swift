import GitHubClient
import Siesta
import TerminalKit

/// A sentence, the headers of its response, and the time for which it may be used.
@MainActor
final class ZenScreen: Screen {
    private let zen: ZenModel

    /// Creates the screen.
    init(_ zen: ZenModel) {
        self.zen = zen
    }

    var model: any ScreenModel { zen }

    var hints: [KeyHint] { [KeyHint("⏎", "use"), .search, .back, .forward, .refresh] }

    var position: String { "" }

    func press(_ key: Key) -> Reaction {
        guard key == .enter else { return .ignored }
        zen.use()
        return .handled
    }

    func body(in size: TerminalSize) -> [Line] {
        let entity = zen.zen.resource.latestData
        let headers = ["Cache-Control", "Age", "ETag"].compactMap { name in
            entity?.header(forKey: name).map { "\(name): \($0)" }
        }
        let state = ZenView.State(
            sentence: zen.zen.content, headers: headers, freshness: zen.zen.freshness, now: zen.monitor.now,
            lastUse: zen.lastUse)
        return Array(ZenView.lines(state, columns: size.columns).prefix(size.rows))
    }
}
