import Foundation

extension ActivityEvent: CustomStringConvertible {
    /// One line of text, without secrets, with the number, the kind, the URL and the cause of the event. For example:
    /// `7 requestSent: attempt 1 (first), https://api.example.com/users/42, because of 6`.
    public var description: String {
        let place = address.map { ", \(PreparedText.url($0))" } ?? ""
        let reason = cause.map { ", because of \($0)" } ?? ""
        return PreparedText.line("\(id) \(kind)\(place)\(reason)")
    }
}

extension ActivityEvent.Kind: CustomStringConvertible {
    /// The name of the case, without its associated values.
    public var name: String { "\(label)" }

    /// The same as a constant of the program.
    var label: StaticString {
        switch self {
        case .loadDecision: "loadDecision"
        case .requestStarted: "requestStarted"
        case .requestSent: "requestSent"
        case .requestRedirected: "requestRedirected"
        case .requestWaits: "requestWaits"
        case .requestEnded: "requestEnded"
        case .stateChanged: "stateChanged"
        case .observerAdded: "observerAdded"
        case .observerRemoved: "observerRemoved"
        case .cache: "cache"
        case .transformed: "transformed"
        case .invalidated: "invalidated"
        case .updatesChanged: "updatesChanged"
        case .evicted: "evicted"
        case .missed: "missed"
        }
    }

    /// One line of text with the name of the case and its associated values, without secrets.
    public var description: String { values.map { PreparedText.line("\(name): \($0)") } ?? name }

    private var values: String? {
        switch self {
        case .loadDecision(let reason, let outcome): "\(reason), \(outcome)"
        case .requestStarted(let method, let isLoad): isLoad ? "\(method), load" : method
        case .requestSent(let attempt, let reason, _): "attempt \(attempt) (\(reason))"
        case .requestRedirected(let status, let location): "status \(status), to \(PreparedText.url(location))"
        case .requestWaits(let seconds, let reason):
            seconds.map { "\($0.formatted(decimals: 3)) s (\(reason))" } ?? reason
        case .requestEnded(let end): end.text
        case .stateChanged(let event): event.description
        case .observerAdded(let observer), .observerRemoved(let observer): observer
        case .cache(let operation, let stage, let duration):
            ["\(operation)", stage, duration.map(Self.milliseconds)].compactMap { $0 }.joined(separator: ", ")
        case .transformed(let stage, let transformer, let duration, let hasFailed):
            "\(stage), \(transformer), \(Self.milliseconds(duration))\(hasFailed ? ", failed" : "")"
        case .invalidated(let byDependency): byDependency ? "dependency" : "call"
        case .updatesChanged(let state): state
        case .evicted: nil
        case .missed(let count): "\(count) events"
        }
    }

    private static func milliseconds(_ duration: TimeInterval) -> String {
        "\((duration * 1000).formatted(decimals: 3)) ms"
    }
}

extension ActivityEvent.RequestEnd {
    fileprivate var text: String {
        let parts = [
            "\(outcome)", status.map { "status \($0)" }, failure,
            metrics.map { "\($0.total.formatted(decimals: 3)) s" },
        ]
        return parts.compactMap { $0 }.joined(separator: ", ")
    }
}

extension Double {
    /// Returns the number with at most this number of decimals, and without zeros at the end.
    package func formatted(decimals: Int) -> String {
        guard isFinite, abs(self) < 1e15 else { return String(self) }
        let text = String(format: "%.\(decimals)f", self)
        guard text.contains(".") else { return text }
        let trimmed = text.reversed().drop { $0 == "0" }.drop { $0 == "." }
        return String(trimmed.reversed())
    }
}
