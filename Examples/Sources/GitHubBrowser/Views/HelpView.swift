import TerminalKit

/// Draws the help. Pure.
enum HelpView {
    /// All keys that are not for moving about in a list.
    static func hints(isLive: Bool) -> [KeyHint] {
        let always = [
            KeyHint("/", "search a user or an organisation"), KeyHint("⏎", "open what is selected"),
            KeyHint("↑ ↓ PgUp PgDn Home End", "move"),
            KeyHint("← esc ⌫", "back, at once and without a request while fresh"),
            KeyHint("→", "forward"), KeyHint("n", "next page; comes by itself at the end of a list"),
            KeyHint("r", "refresh, or retry after an error"),
            KeyHint("s e w", "star and unstar, edit, watch live, in a repository"),
            KeyHint("f", "follow and unfollow, in an account"),
            KeyHint("c", "changes that wait for the server"),
            KeyHint("*", "your stars, asked for every minute"),
            KeyHint("z", "a sentence, and for how long it is fresh"),
            KeyHint("t", "sign in and out"),
            KeyHint("l", "show or hide the log"), KeyHint("q ^C", "quit"),
        ]
        let server = KeyHint("1 2 3 4 5 k", "server: normal, slow, failing, gone, limit; cut stream")
        let user = [
            KeyHint("u", "sign in as another user, who sees nothing of the first"),
            KeyHint("x", "revoke the tokens on the server; the session ends"),
        ]
        return isLive ? always : always + [server, KeyHint("o", "network: off and on")] + user
    }

    /// The help in full, or the hints of the screen in brief where that is too long.
    static func lines(isLive: Bool, brief: [KeyHint], in size: TerminalSize) -> [Line] {
        let hints = hints(isLive: isLive)
        let width = hints.map { Line($0.key).columns }.max() ?? 0
        guard size.rows >= hints.count, size.columns >= 70 else {
            return KeyHint.lines(brief, rows: size.rows, columns: size.columns)
        }
        let rows = hints.map { hint in
            Line(" ") + Line(hint.key, style: Style(bold: true, foreground: .cyan)).fitted(to: width) + "  "
                + Line(hint.label)
        }
        return size.rows > rows.count + 1 ? [Line(" Keys", style: .bold), Line()] + rows : rows
    }
}
