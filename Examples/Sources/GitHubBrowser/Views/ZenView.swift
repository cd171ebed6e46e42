import Foundation
import GitHubClient
import Siesta
import TerminalKit

/// Draws ``ZenScreen``. Pure.
enum ZenView {
    /// What there is to see.
    struct State: Equatable {
        /// Nil is what has not come yet.
        var sentence: String?
        /// The headers that decide about the freshness.
        var headers: [String] = []
        var freshness: ResourceFreshness
        var now: Date
        var lastUse: ZenModel.Use?
    }

    static func lines(_ state: State, columns: Int) -> [Line] {
        let sentence = Words.wrapped(state.sentence ?? "…", columns: columns - 2, rows: 3, style: .bold)
        let headers = state.headers.map { Line(" \($0)", style: .dim) }
        let lines =
            sentence.map { Line(" ") + $0 } + [Line()] + headers + [Line()] + times(state) + [Line()] + use(state)
        return lines.map { $0.columns > columns ? $0.fitted(to: columns) : $0 }
    }

    // MARK: Times

    private static func times(_ state: State) -> [Line] {
        let freshness = state.freshness
        guard freshness.phase != .none else { return [] }
        let windows = [
            ("fresh", ResourceFreshness.Phase.fresh, freshness.freshUntil),
            ("stale-while-revalidate", .staleWhileRevalidate, freshness.staleWhileRevalidateUntil),
            ("stale-if-error", .staleIfError, freshness.staleIfErrorUntil),
        ]
        return [Line(" Reason: \(reason(freshness.reason))", style: .dim)]
            + windows.map { name, phase, end in
                let line =
                    Line(" \(phase == freshness.phase ? "▸" : " ") \(name)").fitted(to: 27) + time(end, state.now)
                return phase == freshness.phase ? line.adding(Style(bold: true, foreground: color(phase))) : line
            }
    }

    private static func time(_ end: Date?, _ now: Date) -> Line {
        guard let end else { return Line("no", style: .dim) }
        guard end != .distantFuture else { return Line("until it is replaced") }
        guard end > now else { return Line("over", style: .dim) }
        return Line("for \(Words.countdown(end.timeIntervalSince(now)))")
    }

    private static func color(_ phase: ResourceFreshness.Phase) -> TerminalColor { phase == .fresh ? .green : .yellow }

    private static func reason(_ reason: ResourceFreshness.Reason) -> String {
        switch reason {
        case .header(let header): header
        case .configuration: "the expiration time"
        case .heuristic: "a tenth of the time since Last-Modified"
        case .redirect: "a redirect"
        case .invalidated: "invalidated"
        case .guaranteed: "a stream of changes"
        case .none, .notStated: "none"
        }
    }

    // MARK: Use

    private static func use(_ state: State) -> [Line] {
        guard let use = state.lastUse else { return [Line(" ⏎: use the sentence now", style: .dim)] }
        let age = use.age.map { " · Age: \($0)" } ?? ""
        return [Line(" Used: \(use.sentence)"), Line(" \(words(use.rule))\(age)", style: .dim)]
    }

    private static func words(_ rule: ZenModel.Use.Rule) -> String {
        switch rule {
        case .fresh: "fresh, without a request"
        case .staleWhileRevalidate: "stale-while-revalidate, at once; a load runs"
        case .staleIfError: "stale-if-error; the load has failed"
        case .loaded: "loaded"
        }
    }
}
