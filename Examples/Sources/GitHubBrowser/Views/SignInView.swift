import GitHubClient
import TerminalKit

/// Draws the sign-in screen. Pure.
enum SignInView {
    /// What there is to see.
    struct State: Equatable {
        /// Who can sign in.
        var users: [String] = []
        /// The reason for which the user must sign in again; nil if nobody must.
        var expiration: String?
        /// Whether a sign-in or a sign-out is running.
        var isBusy = false
    }

    static func lines(_ state: State, in size: TerminalSize) -> [Line] {
        var lines = [Line(" Sign in", style: .bold), Line()]
        if let expiration = state.expiration {
            lines += Words.wrapped(
                expiration, columns: size.columns - 2, rows: 2, style: Style(bold: true, foreground: .red)
            ).map { Line(" ") + $0 }
            lines.append(Line())
        }
        lines += hints(state).map { hint in
            Line(" ") + Line(hint.key, style: Style(bold: true, foreground: .cyan)).fitted(to: 5) + Line(hint.label)
        }
        if state.isBusy { lines += [Line(), Line(" signing in …", style: .dim)] }
        return Array(lines.prefix(size.rows))
    }

    /// What the keys do here.
    static func hints(_ state: State) -> [KeyHint] {
        state.users.enumerated().map { KeyHint("\($0.offset + 1)", $0.element) } + [
            KeyHint("esc", state.expiration == nil ? "back" : "browse without signing in"), KeyHint("q", "quit"),
        ]
    }
}
