import Isolation
import Siesta

/// Passes the messages of the log to inspectors, and then to the handler of the app. Any thread may use it.
///
/// The first subscription replaces the log's handler, and the end of the last one restores it. If the app sets another
/// handler in between, inspectors receive no further messages, and the app must set its handler again afterwards.
final class LogTap: Sendable {
    typealias Handler = @Sendable (SiestaLog.Category, String) -> Void

    /// Receives messages until it is released.
    final class Subscription: Sendable {
        private let number: Int

        fileprivate init(_ number: Int) { self.number = number }

        deinit { LogTap.shared.end(number) }
    }

    private struct State {
        var last = 0
        var handlers: [Int: Handler] = [:]
        /// The handler of the app; nil without subscriptions.
        var original: Handler?
        /// The categories that only the inspectors have enabled.
        var added: Set<SiestaLog.Category> = []
    }

    static let shared = LogTap()

    private let state = Locked(State())

    private init() {}

    /// Begins to pass messages to `handler`, and enables categories for it.
    func subscribe(to categories: Set<SiestaLog.Category>, _ handler: @escaping Handler) -> Subscription {
        let (original, enabled) = (SiestaLog.messageHandler, SiestaLog.Category.enabled)
        let (number, isFirst) = state.withLock { state in
            state.last += 1
            state.handlers[state.last] = handler
            state.added.formUnion(categories.subtracting(enabled))
            if state.original == nil { state.original = original }
            return (state.last, state.handlers.count == 1)
        }
        if isFirst { SiestaLog.messageHandler = { [weak self] in self?.pass($0, $1) } }
        SiestaLog.Category.enabled = enabled.union(categories)
        return Subscription(number)
    }

    private func pass(_ category: SiestaLog.Category, _ message: String) {
        let (handlers, original) = state.withLock { state in
            (Array(state.handlers.values), state.added.contains(category) ? nil : state.original)
        }
        for handler in handlers { handler(category, message) }
        original?(category, message)
    }

    private func end(_ number: Int) {
        let (original, added) = state.withLock { state in
            let removed = state.handlers.removeValue(forKey: number)
            defer { extendLifetime(removed) }
            guard state.handlers.isEmpty else { return (nil as Handler?, Set<SiestaLog.Category>()) }
            defer { (state.original, state.added) = (nil, []) }
            return (state.original, state.added)
        }
        guard let original else { return }
        SiestaLog.messageHandler = original
        SiestaLog.Category.enabled.subtract(added)
    }
}
