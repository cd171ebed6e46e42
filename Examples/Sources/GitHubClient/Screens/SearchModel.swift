package import Siesta
package import SiestaUI

/// Finds users and organisations while their names are typed.
///
/// Each text has a resource of its own. A search that is overtaken by the next one loses its observer, and is
/// cancelled. A text that is typed again soon has its results in memory.
@MainActor
package final class SearchModel: ScreenModel {
    package let monitor = ResourceMonitor()
    private let api: GitHubAPI
    private let debounce: Debounce
    private var search: PagedListModel<Account>?
    private var found: PagedListModel<Account>?

    /// The text in the field. The search for a new text starts when no other text follows for a quarter of a second.
    package var text: String {
        didSet {
            if text != oldValue { debounce.schedule { [weak self] in self?.startSearch() } }
        }
    }

    /// Creates a model that has searched for a text already.
    package init(api: GitHubAPI, text: String = "", debounce: Debounce = Debounce()) {
        (self.api, self.debounce, self.text) = (api, debounce, text)
        search = Self.search(for: text, api)
    }

    package var crumbs: [String] { ["Search"] }

    package var resources: [Resource] { search?.list.resources ?? [] }

    package var isBusy: Bool { debounce.isWaiting }

    /// The list on view: the results of the last search that has results. Nil if there was no search.
    package var results: PagedListModel<Account>? {
        if search == nil || search?.loadedItems != nil { found = search }
        return found
    }

    /// The number of all results of the search that is running or has ended last; nil if it is unknown.
    package var total: Int? { search?.list.total }

    /// What to show in place of results; empty while results are loaded or shown.
    package var note: String {
        if debounce.isWaiting || resources.contains(where: \.isLoading) { return "" }
        guard let search else { return "Type the name of a user or an organisation." }
        return search.loadedItems?.isEmpty == true ? "Nobody is called “\(text)”." : ""
    }

    /// Starts at once the search that waits for more input, if any.
    package func searchNow() {
        debounce.fire()
    }

    package func showMore() { search?.list.beginLoadingNext() }

    package func setListsVisible(_ isVisible: Bool) {
        search?.setVisible(isVisible)
        if !isVisible { found?.setVisible(false) }
    }

    package func forgetUser() {
        found = nil
    }

    private func startSearch() {
        found = results
        search?.setVisible(false)
        search = Self.search(for: text, api)
        appear()
        monitor.onChange()
    }

    private static func search(for text: String, _ api: GitHubAPI) -> PagedListModel<Account>? {
        let words = text.split(separator: " ")
        guard !words.isEmpty else { return nil }
        let first = api.search(words.joined(separator: " "))
        return PagedListModel(PagedResource(first, items: \.items, next: .link, total: .content(\.totalCount)))
    }
}
