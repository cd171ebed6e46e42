import Foundation
import Siesta
import SiestaStorage
import TerminalKit

/// The whole app but for the terminal: keys in, frames out.
///
/// It decides where the user is; what there is to see comes from the observers of the screen that is on view.
@MainActor
final class Browser {
    let api: GitHubAPI
    let backend: Backend
    let log = LogPane()
    /// Called when the next frame may differ from the last one.
    var onChange: () -> Void = {}
    /// Called when the user wants to leave.
    var onQuit: () -> Void = {}
    /// Called with every event that an observer of the app gets.
    var onEvent: (Resource, ResourceEvent) -> Void = { _, _ in }
    /// Called with the progress of loads.
    var onProgress: (Resource, Double) -> Void = { _, _ in }

    private var history: History<any Screen>
    private var isHelpShown = false
    /// Whether the sign-in screen is on view.
    var isSignInShown = false
    /// Whether a sign-in or a sign-out is running.
    var isChangingUser = false
    private var sessionTask: Task<Void, Never>?
    private var mood = Backend.Mood.normal
    /// The outcome of the last key, if there is something to say about it.
    private var notice: Line?
    /// The token of the command line; nil without one, and if the server is the embedded one.
    let token: String?
    /// The switch of the network; nil if the backend is live.
    private let network: SwitchedNetwork?

    /// Creates the browser at the repositories of an account, with the search to go back to.
    init(backend: Backend, token: String?, login: String? = nil, cache: URL? = nil) {
        self.backend = backend
        self.token = backend.isLive ? token : nil
        network = backend.isLive ? nil : SwitchedNetwork()
        api = GitHubAPI(
            baseURL: backend.baseURL, token: self.token, authorization: backend.authorization, cache: cache,
            networking: network ?? DefaultNetworking())
        let login = login ?? backend.firstLogin
        history = History(SearchScreen(api: api, text: login))
        history.open(AccountScreen(api: api, login: login))
    }

    /// What is on view.
    var screen: any Screen { history.current }

    /// Whether something is under way that a spinner should show.
    var isLoading: Bool { isChangingUser || screen.monitor.resources.contains(where: \.isLoading) }

    /// Shows the first screen.
    func start() {
        log.onChange = { [weak self] in self?.onChange() }
        sessionTask = followSession()
        appear()
    }

    /// Waits until all that is kept for the next start is on the disk.
    func quit() async {
        sessionTask?.cancel()
        screen.monitor.onChange = {}
        screen.disappear()
        for cache in api.caches { try? await cache.flush() }  // What could not be kept is in the log.
    }

    // MARK: Moving

    /// Goes somewhere new.
    func open(_ place: Place) {
        screen.disappear()
        history.open(makeScreen(place))
        appear()
    }

    private func makeScreen(_ place: Place) -> any Screen {
        switch place {
        case .search(let text): SearchScreen(api: api, text: text)
        case .account(let login): AccountScreen(api: api, login: login)
        case .stars: StarsScreen(api: api)
        case .repository(let id): RepositoryScreen(api: api, id: id)
        }
    }

    private func move(_ step: (inout History<any Screen>) -> Bool) {
        let before = screen
        guard step(&history) else { return }
        before.disappear()
        appear()
    }

    private func appear() {
        let screen = screen
        screen.monitor.onEvent = { [weak self] in
            if $1 == .error { self?.notice = nil }
            self?.onEvent($0, $1)
        }
        screen.monitor.onProgress = { [weak self] in self?.onProgress($0, $1) }
        screen.monitor.onChange = { [weak self, weak screen] in
            guard let self else { return }
            // While the user changes, the screen has disappeared, and nothing is loaded for it.
            if let screen, self.screen === screen, !isChangingUser { screen.monitor.watch(screen.resources) }
            onChange()
        }
        screen.appear()
        onChange()
    }

    // MARK: Keys

    /// Takes a key.
    func press(_ key: Key) {
        defer { onChange() }
        notice = nil
        if isHelpShown, key != .ctrl("c") { return isHelpShown = false }
        if isSignInShown, key != .ctrl("c") { return pressOnSignIn(key) }
        switch screen.press(key) {
        case .handled: screen.monitor.watch(screen.resources)
        case .open(let place): open(place)
        case .star(let id, let isStarred): star(id, isStarred)
        case .ignored: command(key)
        }
    }

    private func command(_ key: Key) {
        switch key {
        case .ctrl("c"): onQuit()
        case .escape, .left, .backspace: move { $0.goBack() }
        case .right: move { $0.goForward() }
        case .character(let letter) where !screen.isEditing: command(letter)
        default: break
        }
    }

    private func command(_ letter: Character) {
        switch letter {
        case "q": onQuit()
        case "/": search()
        case "n": showMore()
        case "r": screen.refresh()
        case "*": if !(screen is StarsScreen) { open(.stars) }
        case "t": toggleSignIn()
        case "u": switchUser()
        case "x": revokeTokens()
        case "o": network?.status.isConnected.toggle()
        case "l": log.isShown.toggle()
        case "?": isHelpShown = true
        default:
            if let mood = Backend.Mood(rawValue: letter), !backend.isLive { adopt(mood) }
        }
    }

    private func search() {
        if let search = screen as? SearchScreen { search.edit() } else { open(.search("")) }
    }

    private func showMore() {
        screen.showMore()
        screen.monitor.watch(screen.resources)
    }

    /// Makes all screens and the log forget the last user.
    func forgetUser() {
        for screen in history.past + [history.current] + history.future { screen.forgetUser() }
        log.clear()
    }

    private func star(_ id: Repository.ID, _ isStarred: Bool) {
        let name = isStarred ? "starred" : "unstarred"
        api.setStarred(isStarred, id).onCompletion { [weak self] info in
            guard let self else { return }
            if case .failure(let error) = info.response, !info.response.isCancellation {
                let advice = StatusView.advice(error.httpStatusCode, isSignedIn: api.principal != nil)
                say("Not \(name): \(error.userMessage) · \(advice)", isBad: true)
            }
            onChange()
        }
    }

    private func adopt(_ mood: Backend.Mood) {
        guard backend.adopt(mood, after: self.mood) else {
            return say("The server cannot be started again", isBad: true)
        }
        self.mood = mood
        say("The server is \(mood == .limited ? "at its rate limit" : mood.name) now; r asks it")
    }

    /// Shows the outcome of a key.
    func say(_ text: String, isBad: Bool = false) {
        notice = Line(" \(text)", style: Style(bold: isBad, foreground: isBad ? .red : .cyan))
    }
}

// MARK: - Drawing

extension Browser {
    /// What to show now; `tick` turns the spinner.
    func frame(size: TerminalSize, tick: Int = 0) -> Frame {
        let status = isSignInShown ? LoadStatus() : screen.monitor.status
        let layout = BrowserLayout(
            size: size, hasFailure: status.failure != nil || status.wait != nil || notice != nil,
            isLogShown: log.isShown && !isHelpShown)
        let bodySize = TerminalSize(rows: layout.bodyRows, columns: size.columns)
        var lines = [header(columns: size.columns)]
        lines += layout.filled(
            isHelpShown
                ? help(in: bodySize)
                : isSignInShown ? SignInView.lines(signIn, in: bodySize) : screen.body(in: bodySize))
        lines += LogView.lines(log.entries, rows: layout.logRows, columns: size.columns)
        if layout.hasFailure {
            let wait = StatusView.wait(status, columns: size.columns)
            lines.append(wait ?? notice ?? failure(status, columns: size.columns))
        }
        let left = StatusView.line(status, tick: tick)
        let right = isSignInShown ? Line() : position
        lines.append(left.fitted(to: max(size.columns - right.columns, 0)) + right)
        lines += KeyHint.lines(
            isHelpShown ? [KeyHint("any key", "back")] : hints(columns: size.columns), rows: layout.hintRows,
            columns: size.columns)
        return Frame(size: size, lines: lines)
    }

    private func help(in size: TerminalSize) -> [Line] {
        HelpView.lines(isLive: backend.isLive, brief: hints(columns: size.columns), in: size)
    }

    private func failure(_ status: LoadStatus, columns: Int) -> Line {
        StatusView.failure(status, isSignedIn: api.principal != nil, columns: columns) ?? Line()
    }

    private var signIn: SignInView.State {
        var expiration: String?
        if case .expired(let reason) = api.session {
            let text = reason.reason.map { ": \($0)" } ?? ""
            expiration = "The session of \(backend.isLive ? "the token" : api.principal ?? "") has expired\(text)."
        }
        let users = backend.isLive ? users.map { _ in "the owner of the token" } : users
        return SignInView.State(users: users, expiration: expiration, isBusy: isChangingUser)
    }

    private var position: Line { Line(" \(screen.position) ", style: .dim) }

    private func header(columns: Int) -> Line {
        let way =
            (history.past.isEmpty ? " " : " ‹ ")
            + (["GitHub"] + (isSignInShown ? ["Sign in"] : screen.crumbs)).joined(separator: " › ")
        let server = backend.isLive ? "api.github.com" : "server: \(mood.name)"
        let network = api.networkStatus.isConnected ? "" : "offline · "
        let right = Line(" \(network)\(server) · \(userLabel)" + (history.future.isEmpty ? " " : " › "))
        let left = Line(way, style: .bold)
        guard columns >= right.columns + 20 else { return left.fitted(to: columns).adding(.inverse) }
        return (left.fitted(to: columns - right.columns) + right).adding(.inverse)
    }

    /// What the keys do here. Where not all of it fits, what tells the rest comes early.
    private func hints(columns: Int) -> [KeyHint] {
        guard !isSignInShown else { return SignInView.hints(signIn) }
        guard !screen.isEditing else { return screen.hints }
        let helpful = [KeyHint("?", "help"), KeyHint("q", "quit")]
        let common = [KeyHint("t", api.principal == nil ? "sign in" : "sign out"), KeyHint("l", "log")]
        let switches = network.map { [KeyHint("1-5", "server"), KeyHint("o", $0.status.hint)] } ?? []
        let session = backend.isLive || api.principal == nil ? [] : [KeyHint("u", "user"), KeyHint("x", "revoke")]
        let other = [KeyHint("*", "stars")] + switches + session
        guard columns < 60 else { return screen.hints + common + helpful + other }
        return screen.hints.prefix(2) + helpful + screen.hints.dropFirst(2) + common + other
    }
}

extension ManualNetworkStatus {
    /// The effect of the key that switches the network.
    fileprivate var hint: String { isConnected ? "offline" : "online" }
}
