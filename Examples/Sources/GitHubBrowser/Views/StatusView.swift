import GitHubClient
import SiestaUI
import TerminalKit

/// Draws the row with the progress of loads, or the age and origin of the data, and whether the data is live. Pure.
enum StatusView {
    /// What to do about an error.
    static func advice(_ statusCode: Int?, isSignedIn: Bool) -> String {
        switch statusCode {
        case 401: isSignedIn ? "t: sign out" : "t: sign in"
        case 404: "←: back"
        default: "r: retry"
        }
    }

    /// The row for the resources of a screen; `tick` turns the spinner.
    @MainActor
    static func line(of monitor: ResourceMonitor, tick: Int) -> Line {
        let progress = ProgressLine(monitor.progress, isWaiting: monitor.isWaiting)
        return line(monitor.freshness, monitor.isLoading ? progress : nil, tick: tick)
            + line(monitor.status.display.live)
    }

    /// The part of the row for data that follows the server.
    static func line(_ live: LiveLine?) -> Line {
        guard let live else { return Line() }
        let isLive = live.kind == .live
        return Line(" \(isLive ? "●" : "○") \(live.text)", style: Style(foreground: isLive ? .green : .yellow))
    }

    /// The row for data, and for a load if there is one.
    static func line(_ freshness: Freshness, _ progress: ProgressLine?, tick: Int) -> Line {
        if let progress {
            let age = freshness.age.map { " · data from \(Words.age($0))" } ?? ""
            return progress.line(tick: tick) + Line(age, style: .dim)
        }
        guard let age = freshness.age else { return Line() }
        if freshness.hasFailed { return Line(" data from \(Words.age(age))", style: Style(foreground: .yellow)) }
        let updated = Line(" updated \(Words.age(age))", style: Style(foreground: .green))
        let parts = [origins(freshness), freshness.duration.map(Words.duration) ?? ""].filter { !$0.isEmpty }
        return updated + Line(parts.map { " · " + $0 }.joined(), style: .dim)
    }

    private static func origins(_ freshness: Freshness) -> String {
        Freshness.Origin.allCases.compactMap { origin in
            guard let count = freshness.origins[origin], count > 0 else { return nil }
            return count > 1 ? "\(origin.name) ×\(count)" : origin.name
        }.joined(separator: ", ")
    }
}

extension Freshness.Origin {
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
