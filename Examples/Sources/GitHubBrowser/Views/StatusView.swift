import TerminalKit

/// Draws a ``LoadStatus``: a row for an error, and one for everything else. Pure.
enum StatusView {
    /// How long a load may take before a bar is shown, in seconds.
    static let patience = 0.4

    /// What failed and what to do; nil if nothing failed. Where it is too long, the advice stays.
    static func failure(_ status: LoadStatus, isLoggedIn: Bool, columns: Int) -> Line? {
        guard let failure = status.failure else { return nil }
        let code = failure.statusCode.map { " (\($0))" } ?? ""
        let message = Line(" ✗ \(sentence(failure.message))\(code)", style: Style(bold: true, foreground: .red))
        let advice = Line(" · \(advice(failure.statusCode, isLoggedIn: isLoggedIn))")
        let room = columns - advice.columns
        return (message.columns > room ? message.fitted(to: room) : message) + advice
    }

    /// What to do about an error.
    static func advice(_ statusCode: Int?, isLoggedIn: Bool) -> String {
        switch statusCode {
        case 401: isLoggedIn ? "t: log out" : "t: log in"
        case 403 where !isLoggedIn, 429 where !isLoggedIn: "t: log in for more, r: retry"
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
        if status.loadingTime >= patience {
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
