import GitHubClient
import Siesta
import SiestaUI
import TerminalKit

/// The stars of a repository and the changes of all users, live.
@MainActor
final class FeedScreen: Screen {
    private let feed: FeedModel
    private let events: PagedSelection<FeedEvent>

    /// Creates the screen.
    init(_ feed: FeedModel) {
        self.feed = feed
        events = PagedSelection(feed.feed, by: \.id)
    }

    var model: any ScreenModel { feed }

    var hints: [KeyHint] {
        [KeyHint("s", feed.isStarred ? "unstar" : "star"), KeyHint("⏎", "open"), .search, .back, .forward, .refresh]
    }

    var position: String { events.position(of: events.model.loadedItems?.count) }

    func press(_ key: Key) -> Reaction {
        guard key == .character("s") else { return events.press(key) { Self.place(of: $0) } }
        return .star(feed.id, !feed.isStarred)
    }

    private static func place(of event: FeedEvent) -> Place {
        let parts = event.subject.split(separator: "/").map(String.init)
        return parts.count == 2
            ? .repository(Repository.ID(owner: parts[0], name: parts[1])) : .account(event.subject)
    }

    func body(in size: TerminalSize) -> [Line] {
        var state = FeedView.State(id: feed.id, stars: feed.stars.content?.count, events: events.model.loadedItems)
        state.isStarred = feed.isStarred
        state.selection = events.rows(height: max(size.rows - FeedView.headRows, 1))
        return FeedView.lines(state, in: size)
    }
}
