import GitHubClient
import TerminalKit

extension PagedSelection {
    /// Takes a key: Return opens the selected item, others move the selection.
    func press(_ key: Key, open place: (Item) -> Place?) -> Reaction {
        guard key == .enter else { return press(key) ? .handled : .ignored }
        return selectedItem.map { place($0).map(Reaction.open) ?? .handled } ?? .ignored
    }
}
