import Siesta
import TerminalKit

/// Finds users and organisations while their names are typed.
///
/// Each text has a resource of its own. A search that is overtaken by the next one loses its observer, and is
/// cancelled; one that is typed again soon is answered from memory.
@MainActor
final class SearchScreen: Screen {
    let monitor = ResourceMonitor()
    private let api: GitHubAPI
    private let debounce: Debounce
    private var field: TextField
    private var search: PagedSelection<Account>?
    /// What stays on view until the next search has an answer.
    private var found: PagedSelection<Account>?
    private(set) var isEditing: Bool

    /// Creates a screen that has searched for a text already.
    init(api: GitHubAPI, text: String = "", debounce: Debounce = Debounce()) {
        self.api = api
        self.debounce = debounce
        field = TextField(text, limit: 100)
        isEditing = text.isEmpty
        search = Self.search(for: text, api)
    }

    var crumbs: [String] { ["Search"] }

    var resources: [Resource] { search?.list.resources ?? [] }

    var isBusy: Bool { debounce.isWaiting }

    var hints: [KeyHint] {
        guard isEditing else { return [KeyHint("⏎", "open"), KeyHint("/", "edit"), .back, .forward, .more, .refresh] }
        let escape = KeyHint("esc", isFound ? "results" : "back")
        return [KeyHint("⏎", "results"), KeyHint("↓", "results"), escape, KeyHint("^C", "quit")]
    }

    var position: String { search?.position(of: search?.list.total) ?? "" }

    /// Puts the cursor into the field.
    func edit() {
        isEditing = true
    }

    func forgetUser() {
        found = nil
    }

    func showMore() { search?.list.beginLoadingNext() }

    func press(_ key: Key) -> Reaction {
        isEditing ? type(key) : choose(key)
    }

    func body(in size: TerminalSize) -> [Line] {
        takeOverAnswer()
        let rows = found?.rows(height: max(size.rows - SearchView.headRows, 1)) ?? ListSelection()
        let note = monitor.status.isLoading || debounce.isWaiting ? "" : noResult
        return SearchView.lines(
            SearchView.State(
                field: field, isEditing: isEditing, accounts: found?.items ?? [], selection: rows, note: note),
            in: size)
    }

    private var isFound: Bool { found?.items?.isEmpty == false }

    private func takeOverAnswer() {
        if search == nil || search?.items != nil { found = search }
    }

    private var noResult: String {
        guard let search else { return "Type the name of a user or an organisation." }
        return search.items?.isEmpty == true ? "Nobody is called “\(field.text)”." : ""
    }

    private func type(_ key: Key) -> Reaction {
        let before = field.text
        switch key {
        case .enter, .down, .tab:
            debounce.fire()
            isEditing = false
        case .escape:
            takeOverAnswer()
            guard isFound else { return .ignored }
            isEditing = false
        default:
            guard field.handle(key) else { return .ignored }
        }
        if field.text != before { debounce.schedule { [weak self] in self?.startSearch() } }
        return .handled
    }

    private func choose(_ key: Key) -> Reaction {
        takeOverAnswer()
        guard key == .up, found?.rows().selected ?? 0 == 0 else {
            return found?.press(key) { .account($0.login) } ?? .ignored
        }
        isEditing = true
        return .handled
    }

    private func startSearch() {
        search = Self.search(for: field.text, api)
        appear()
        monitor.onChange()
    }

    private static func search(for text: String, _ api: GitHubAPI) -> PagedSelection<Account>? {
        let words = text.split(separator: " ")
        guard !words.isEmpty else { return nil }
        let first = api.search(words.joined(separator: " "))
        return PagedSelection(
            PagedResource(first, items: \.items, next: .link, total: .content(\.totalCount)), by: \.id)
    }
}
