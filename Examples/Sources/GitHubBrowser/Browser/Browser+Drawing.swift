import GitHubClient
import Siesta
import SiestaUI
import TerminalKit

extension Browser {
    /// What to show now; `tick` turns the spinner.
    func frame(size: TerminalSize, tick: Int = 0) -> Frame {
        let message = message(columns: size.columns)
        let layout = BrowserLayout(
            size: size, hasMessage: message != nil, isLogShown: log.isShown && !isHelpShown)
        let bodySize = TerminalSize(rows: layout.bodyRows, columns: size.columns)
        var lines = [header(columns: size.columns)]
        lines += layout.filled(body(in: bodySize))
        lines += LogView.lines(log.entries, rows: layout.logRows, columns: size.columns)
        if let message { lines.append(message) }
        let left = model.isSignInShown ? Line() : StatusView.line(of: model.screen.monitor, tick: tick)
        let right = model.isSignInShown ? Line() : position
        lines.append(left.fitted(to: max(size.columns - right.columns, 0)) + right)
        lines += KeyHint.lines(
            isHelpShown ? [KeyHint("any key", "back")] : hints(columns: size.columns), rows: layout.hintRows,
            columns: size.columns)
        return Frame(size: size, lines: lines)
    }

    private func body(in size: TerminalSize) -> [Line] {
        if isHelpShown { return help(in: size) }
        if model.isSignInShown { return SignInView.lines(signIn, in: size) }
        if let question = model.question { return QuestionView.lines(question.conflict, merged, in: size) }
        return screen.body(in: size)
    }

    private func help(in size: TerminalSize) -> [Line] {
        HelpView.lines(isLive: model.backend.isLive, brief: hints(columns: size.columns), in: size)
    }

    /// The row with a message: a wait, else the outcome of the last key, else a failure.
    private func message(columns: Int) -> Line? {
        guard !model.isSignInShown else { return notice }
        let monitor = model.screen.monitor
        let status = monitor.message.map { message in
            StatusLine(message, advice: message.kind == .failure ? advice(of: monitor) : "").line(columns: columns)
        }
        return monitor.message?.kind == .failure ? notice ?? status : status ?? notice
    }

    private func advice(of monitor: ResourceMonitor) -> String {
        let error = monitor.resources.lazy.compactMap(\.latestError).first
        return StatusView.advice(error?.httpStatusCode, isSignedIn: model.api.principal != nil)
    }

    /// The outcome of the last key, with the key that may help.
    private var notice: Line? {
        model.notice.map { notice in
            let end =
                switch notice.next {
                case .nothing: ""
                case .changes: " · c: changes"
                case .reload: "; r asks it"
                case .afterError(let statusCode):
                    " · " + StatusView.advice(statusCode, isSignedIn: model.api.principal != nil)
                }
            let style = Style(bold: notice.isBad, foreground: notice.isBad ? .red : .cyan)
            return Line(" \(notice.text)\(end)", style: style)
        }
    }

    private var signIn: SignInView.State {
        let users = model.backend.isLive ? model.users.map { _ in "the owner of the token" } : model.users
        return SignInView.State(users: users, expiration: model.expiration, isBusy: model.isChangingUser)
    }

    private var position: Line { Line(" \(screen.position) ", style: .dim) }

    private func header(columns: Int) -> Line {
        let way =
            (model.history.past.isEmpty ? " " : " ‹ ")
            + (["GitHub"] + (model.isSignInShown ? ["Sign in"] : model.screen.crumbs)).joined(separator: " › ")
        let server = model.backend.isLive ? model.backend.host : "server: \(model.mood.name)"
        let network = model.api.networkStatus.isConnected ? "" : "offline · "
        let right = Line(
            " \(waiting)\(network)\(server) · \(model.userLabel)" + (model.history.future.isEmpty ? " " : " › "))
        let left = Line(way, style: .bold)
        guard columns >= right.columns + 20 else { return left.fitted(to: columns).adding(.inverse) }
        return (left.fitted(to: columns - right.columns) + right).adding(.inverse)
    }

    /// How many changes wait, and how many of them for a decision. The number shows when all are on the disk.
    private var waiting: String {
        guard !model.isKeeping else { return "⇡… · " }
        let changes = model.api.changes
        let refused = changes.count { $0.state.needsDecision }
        return (changes.isEmpty ? "" : "⇡\(changes.count) ") + (refused == 0 ? "" : "✗\(refused) ")
            + (changes.isEmpty ? "" : "· ")
    }

    /// What the keys do here. Where not all of it fits, what tells the rest comes early.
    private func hints(columns: Int) -> [KeyHint] {
        guard !model.isSignInShown else { return SignInView.hints(signIn) }
        guard model.question == nil else { return QuestionView.hints(isMerging: merged != nil) }
        guard !screen.isEditing else { return screen.hints }
        let helpful = [KeyHint("?", "help"), KeyHint("q", "quit")]
        let common = [KeyHint("t", model.api.principal == nil ? "sign in" : "sign out"), KeyHint("l", "log")]
        let switches = model.network.map { [KeyHint("1-5", "server"), KeyHint("o", $0.status.hint)] } ?? []
        let session =
            model.backend.isLive || model.api.principal == nil ? [] : [KeyHint("u", "user"), KeyHint("x", "revoke")]
        let stream =
            watched != nil
            ? [KeyHint("w", "watch")] : screen is FeedScreen && model.network != nil ? [KeyHint("k", "cut")] : []
        let other = stream + [KeyHint("*", "stars"), KeyHint("c", "changes"), KeyHint("z", "zen")] + switches + session
        guard columns < 60 else { return screen.hints + common + helpful + other }
        return screen.hints.prefix(2) + helpful + screen.hints.dropFirst(2) + common + other
    }
}

extension NetworkStatus {
    /// The effect of the key that switches the network.
    fileprivate var hint: String { isConnected ? "offline" : "online" }
}
