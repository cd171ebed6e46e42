import GitHubClient
import TerminalKit

/// A screen in the terminal: draws the state of its model, and translates keys.
@MainActor
protocol Screen: AnyObject {
    /// The model, which loads the data.
    var model: any ScreenModel { get }
    /// What the keys do here, the most useful first.
    var hints: [KeyHint] { get }
    /// Whether letters are text now.
    var isEditing: Bool { get }
    /// Which part is on view, in a few words.
    var position: String { get }

    /// Takes a key.
    func press(_ key: Key) -> Reaction
    /// The content, in no more than the given rows and columns.
    func body(in size: TerminalSize) -> [Line]
}

extension Screen {
    var isEditing: Bool { false }
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
    /// The user wants to follow an account, or not to follow it any more.
    case follow(String, Bool)
    /// The user wants to change the description of a repository.
    case describe(Repository.ID, String)
}
