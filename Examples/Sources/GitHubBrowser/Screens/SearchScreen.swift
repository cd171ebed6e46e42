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
    private var selection = ListSelection()
    private var chain: PageChain<Account>?
    /// What stays on view until the next search has an answer.
    private var found: [Account] = []
    private(set) var isEditing: Bool

    /// Creates a screen that has searched for a text already.
    init(api: GitHubAPI, text: String = "", debounce: Debounce = Debounce()) {
        self.api = api
        self.debounce = debounce
        field = TextField(text, limit: 100)
        isEditing = text.isEmpty
        chain = Self.chain(for: text, api)
    }

    var crumbs: [String] { ["Search"] }

    var resources: [Resource] { chain?.resources ?? [] }

    var isBusy: Bool { debounce.isWaiting }

    var hints: [KeyHint] {
        guard isEditing else { return [KeyHint("⏎", "open"), KeyHint("/", "edit"), .back, .forward, .more, .refresh] }
        let escape = KeyHint("esc", found.isEmpty ? "back" : "results")
        return [KeyHint("⏎", "results"), KeyHint("↓", "results"), escape, KeyHint("^C", "quit")]
    }

    var position: String {
        guard let selected = selection.selected, let total = chain?.total else { return "" }
        return "\(selected + 1) of \(total)"
    }

    /// Puts the cursor into the field.
    func edit() {
        isEditing = true
    }

    func forgetUser() {
        found = []
    }

    func showMore() {
        if chain?.hasMore == true { chain?.wanted += 1 }
    }

    func press(_ key: Key) -> Reaction {
        isEditing ? type(key) : choose(key)
    }

    func body(in size: TerminalSize) -> [Line] {
        takeOverAnswer()
        let room = max(size.rows - SearchView.headRows, 1)
        selection.update(count: found.count, height: room)
        let note = monitor.status.isLoading || debounce.isWaiting ? "" : noResult
        return SearchView.lines(
            SearchView.State(
                field: field, isEditing: isEditing, accounts: found, selection: selection, note: note),
            in: size)
    }

    private func takeOverAnswer() {
        guard let chain else { return found = [] }
        if chain.total != nil { found = chain.items }
    }

    private var noResult: String {
        guard let chain else { return "Type the name of a user or an organisation." }
        return chain.total == 0 ? "Nobody is called “\(field.text)”." : ""
    }

    private func type(_ key: Key) -> Reaction {
        let before = field.text
        switch key {
        case .enter, .down, .tab:
            debounce.fire()
            isEditing = false
        case .escape:
            takeOverAnswer()
            guard !found.isEmpty else { return .ignored }
            isEditing = false
        default:
            guard field.handle(key) else { return .ignored }
        }
        if field.text != before { debounce.schedule { [weak self] in self?.search() } }
        return .handled
    }

    private func choose(_ key: Key) -> Reaction {
        takeOverAnswer()
        selection.update(count: found.count, height: selection.height)
        switch key {
        case .up where selection.selected ?? 0 == 0: isEditing = true
        case .enter:
            return selection.selected.map { .open(.account(found[$0].login)) } ?? .ignored
        default:
            guard selection.handle(key) else { return .ignored }
            if selection.selected == found.count - 1 { showMore() }
        }
        return .handled
    }

    private func search() {
        chain = Self.chain(for: field.text, api)
        selection.home()
        monitor.watch(resources)
        for resource in resources { resource.loadIfNeeded() }
        monitor.onChange()
    }

    private static func chain(for text: String, _ api: GitHubAPI) -> PageChain<Account>? {
        let words = text.split(separator: " ")
        return words.isEmpty ? nil : PageChain(first: api.search(words.joined(separator: " ")))
    }
}
