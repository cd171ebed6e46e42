import GitHubClient
import TerminalKit

/// Draws a ``LoadStatus``: a row for an error, and one for everything else. Pure.
enum StatusView {
    /// How long a load may take before a bar is shown, in seconds.
    static let patience = 0.4

    /// The failure and the advice; nil if nothing failed. If the line is too long, the advice stays.
    static func failure(_ status: LoadStatus, isSignedIn: Bool, columns: Int) -> Line? {
        guard let failure = status.failure else { return nil }
        let message = Line(" ✗ \(words(for: failure))", style: Style(bold: true, foreground: .red))
        let wait = failure.retryAfter.map { "next request in \(Words.countdown($0))" }
        return joined(message, wait ?? advice(failure.statusCode, isSignedIn: isSignedIn), columns: columns)
    }

    /// The reason for which a request waits, and for how long; nil if no request waits. If the line is too long, the time
    /// stays.
    static func wait(_ status: LoadStatus, columns: Int) -> Line? {
        guard let wait = status.wait else { return nil }
        let style = Style(foreground: .yellow)
        switch wait {
        case .retry(let seconds, let number, let limit, let failure):
            let time = "retrying in \(Words.countdown(seconds)) (\(number) of \(limit))"
            return joined(Line(" ↻ \(words(for: failure))", style: style), time, columns: columns)
        case .rateLimit(let seconds):
            let time = "next request in \(Words.countdown(seconds))"
            return joined(Line(" ↻ The rate limit is used up", style: style), time, columns: columns)
        case .network: return Line(" ↻ waiting for the network", style: style)
        case .turn: return Line(" ↻ waiting for other requests", style: style)
        }
    }

    private static func words(for failure: LoadStatus.Failure) -> String {
        sentence(failure.message) + (failure.statusCode.map { " (\($0))" } ?? "")
    }

    private static func joined(_ message: Line, _ end: String, columns: Int) -> Line {
        let end = Line(" · \(end)")
        let room = columns - end.columns
        return (message.columns > room ? message.fitted(to: room) : message) + end
    }

    /// What to do about an error.
    static func advice(_ statusCode: Int?, isSignedIn: Bool) -> String {
        switch statusCode {
        case 401: isSignedIn ? "t: sign out" : "t: sign in"
        case 404: "←: back"
        default: "r: retry"
        }
    }

    /// Whether something is loading, and how old what one sees is.
    static func line(_ status: LoadStatus, tick: Int) -> Line {
        if status.isLoading { return loading(status, tick: tick) }
        guard let age = status.age else { return Line() }
        if status.failure != nil { return Line(" data from \(Words.age(age))", style: Style(foreground: .yellow)) }
        let sources = Line(" updated \(Words.age(age))", style: Style(foreground: .green))
        let parts = [answers(status), status.duration.map(Words.duration) ?? ""].filter { !$0.isEmpty }
        return sources + Line(parts.map { " · " + $0 }.joined(), style: .dim)
    }

    private static func loading(_ status: LoadStatus, tick: Int) -> Line {
        var line = Line(" \(Spinner.dots.frame(at: tick)) ", style: Style(foreground: .cyan))
        if status.wait != nil {
            line += "waiting"
        } else if status.loadingTime >= patience {
            let bar = ProgressBar(fraction: status.progress).text(columns: 16)
            line += Line("▕", style: .dim) + Line(bar, style: Style(foreground: .cyan)) + Line("▏", style: .dim)
            line += Line("\(Int(status.progress * 100)) %")
        } else {
            line += "loading"
        }
        return line + Line(status.age.map { " · data from \(Words.age($0))" } ?? "", style: .dim)
    }

    private static func answers(_ status: LoadStatus) -> String {
        LoadStatus.Answer.allCases.compactMap { answer in
            guard let count = status.answers[answer], count > 0 else { return nil }
            return count > 1 ? "\(answer.name) ×\(count)" : answer.name
        }.joined(separator: ", ")
    }

    private static func sentence(_ message: String) -> String {
        message.hasSuffix(".") ? String(message.dropLast()) : message
    }
}

extension LoadStatus.Answer {
    fileprivate var name: String {
        switch self {
        case .network: "network"
        case .notModified: "304"
        case .memory: "memory"
        case .cache: "kept"
        case .local: "changed here"
        }
    }
}
