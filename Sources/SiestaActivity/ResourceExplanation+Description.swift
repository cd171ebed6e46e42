import Foundation
import SiestaCore

extension ResourceExplanation: CustomStringConvertible {
    /// A human-readable description of a few lines, without secrets. The first line contains the URL. The second line
    /// contains the freshness of the data, its reason, and the source of the data.
    public var description: String {
        var lines = [PreparedText.url(address), "\(freshnessText); \(originText)"]
        if let failure, let failureAge {
            lines.append("the last load failed \(Self.seconds(failureAge)) ago: \(failure)")
        }
        if let wait { lines.append("a request waits: \(wait)") }
        if let updates { lines.append("updates: \(updates)") }
        lines.append("loadIfNeeded() \(nextText)")
        lines.append(observers.isEmpty ? "no observers" : "observers: \(observers.joined(separator: ", "))")
        let caches = caches.map { "\($0.name) of stage \($0.stage)" }.joined(separator: ", ")
        lines.append(caches.isEmpty ? "no caches" : "caches: \(caches)")
        if pendingChangeCount > 0 { lines.append("pending changes: \(pendingChangeCount)") }
        for rule in rules where !rule.options.isEmpty {
            let options = rule.options.map { "\($0.name) \($0.value)" }.joined(separator: "; ")
            lines.append("rule “\(rule.name)”: \(options)")
        }
        return lines.map { PreparedText.line($0) }.joined(separator: "\n")
    }

    /// Returns the rule that determines an option, that is, the last rule that changes it; nil if no rule changes the
    /// option.
    public func rule(for option: String) -> Rule? {
        rules.last { $0.options.contains { $0.name == option } }
    }

    private var freshnessText: String {
        switch freshness.phase {
        case .none: return "no data"
        case .fresh:
            let rest = freshness.freshUntil.map { " for \(Self.seconds($0.timeIntervalSince(date))) more" } ?? ""
            return "fresh\(rest): \(reasonText)"
        case .staleWhileRevalidate: return "stale, but may be shown while a load runs: \(reasonText)"
        case .staleIfError: return "stale, but may be shown if a load fails: \(reasonText)"
        case .stale:
            let since = freshness.freshUntil.map { date.timeIntervalSince($0) } ?? 0
            let past = freshness.reason != .invalidated && since > 0 ? " for \(Self.seconds(since))" : ""
            return "stale\(past): \(reasonText)"
        }
    }

    private var reasonText: String {
        switch freshness.reason {
        case .none: "there is no data"
        case .configuration: optionText("expirationTime", default: "30 s")
        case .header(let field): field
        case .heuristic: "a tenth of the time since its Last-Modified"
        case .redirect: "the lifetime of a redirect"
        case .invalidated: "it was invalidated"
        case .guaranteed: "a stream reports each change"
        case .notStated: "its response names no lifetime"
        }
    }

    private func optionText(_ name: String, default value: String) -> String {
        guard let rule = rule(for: name), let option = rule.options.first(where: { $0.name == name }) else {
            return "\(name) \(value), the default"
        }
        return "\(name) \(option.value) from rule “\(rule.name)”"
    }

    private var originText: String {
        let because = lastLoad == .none ? "" : " because \(lastLoad.words(observers.last))"
        guard let age, let source else {
            return lastLoad == .none ? "nobody has loaded it" : "a load began\(because)"
        }
        let ago = "\(Self.seconds(age)) ago"
        return switch source {
        case .network: "loaded \(ago) from the network\(because)"
        case .revalidated: "confirmed by the server \(ago)\(because)"
        case .cache: "from a cache, \(Self.seconds(age)) old"
        case .local: "set by the app \(ago)"
        }
    }

    private var nextText: String {
        switch next {
        case .load: "would load it"
        case .join: "would return the load that is running"
        case .waitForCache: "would wait for its cache, and load it if the cache has no fresh data"
        case .useData(let seconds):
            "would do nothing" + (seconds.map { " for \(Self.seconds($0)) more" } ?? "") + ": the data is up to date"
        case .hold(let seconds):
            "would do nothing" + (seconds.map { " for \(Self.seconds($0)) more" } ?? "") + ": the last load failed"
        }
    }

    private static func seconds(_ time: TimeInterval) -> String { "\(time.formatted(decimals: time < 10 ? 1 : 0)) s" }
}

extension ActivityEvent.LoadReason {
    /// The reason as the end of a sentence.
    ///
    /// - Parameter observer: the newest observer of the resource.
    fileprivate func words(_ observer: String?) -> String {
        switch self {
        case .none: "nobody asked"
        case .load: "load() was called"
        case .loadIfNeeded: "loadIfNeeded() was called"
        case .observer: observer.map { "observer \($0) was added" } ?? "an observer was added"
        case .loadUsingRequest: "load(using:) was called"
        case .poll: "a poll was due"
        case .trigger: "the network or the app came back, or it was observed again"
        case .dependency: "data on which it depends has changed"
        case .change: "a pending change needed the newest data"
        }
    }
}
