import Siesta
import TerminalKit

/// One place of the browser: says what it wants to observe, and shows what that holds.
@MainActor
protocol Screen: AnyObject {
    /// Where this is, from the general to the special.
    var crumbs: [String] { get }
    /// What observes for this screen while it is on view.
    var monitor: ResourceMonitor { get }
    /// What the screen is about, as far as it is known; read again after every change of it.
    var resources: [Resource] { get }
    /// What the keys do here, the most useful first.
    var hints: [KeyHint] { get }
    /// Whether letters are text now.
    var isEditing: Bool { get }
    /// Which part is on view, in a few words.
    var position: String { get }
    /// Whether something is about to happen without another key, such as a search.
    var isBusy: Bool { get }

    /// Takes a key.
    func press(_ key: Key) -> Reaction
    /// Forgets what the screen itself keeps of the last user, because another one is signed in, or nobody.
    func forgetUser()
    /// Loads the next page, if there is one.
    func showMore()
    /// The content, in no more than the given rows and columns.
    func body(in size: TerminalSize) -> [Line]
}

/// What a screen makes of a key.
enum Reaction: Equatable {
    /// Nothing; it may mean something elsewhere.
    case ignored
    /// It has done all there is to do.
    case handled
    /// The user wants to go somewhere.
    case open(Place)
    /// The user wants to star a repository, or not to star it any more.
    case star(Repository.ID, Bool)
}

extension Screen {
    var isEditing: Bool { false }
    var isBusy: Bool { false }
    func showMore() {}
    func forgetUser() {}

    /// Comes on view: what is cached shows at once, what is stale is loaded.
    func appear() {
        monitor.watch(resources)
        for resource in monitor.resources { resource.loadIfNeeded() }
    }

    /// Goes out of view.
    func disappear() {
        monitor.watch([])
    }

    /// Asks the server about everything, however fresh; also the way to try again after an error.
    func refresh() {
        for resource in monitor.resources where !resource.isLoading { resource.load() }
    }
}
