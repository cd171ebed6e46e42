import Isolation
import SiestaCore

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
        state.withLock { state in
            let enabled = SiestaLog.Category.enabled
            state.added.formUnion(categories.subtracting(enabled))
            if state.original == nil {
                state.original = SiestaLog.messageHandler
                SiestaLog.messageHandler = { [weak self] in self?.pass($0, $1) }
            }
            state.last += 1
            state.handlers[state.last] = handler
            SiestaLog.Category.enabled = enabled.union(categories)
            return Subscription(state.last)
        }
    }

    private func pass(_ category: SiestaLog.Category, _ message: String) {
        let (handlers, original) = state.withLock { state in
            (Array(state.handlers.values), state.added.contains(category) ? nil : state.original)
        }
        for handler in handlers { handler(category, message) }
        original?(category, message)
    }

    private func end(_ number: Int) {
        let removed = state.withLock { state in
            let removed = state.handlers.removeValue(forKey: number)
            guard state.handlers.isEmpty, let original = state.original else { return removed }
            SiestaLog.messageHandler = original
            SiestaLog.Category.enabled.subtract(state.added)
            (state.original, state.added) = (nil, [])
            return removed
        }
        extendLifetime(removed)  // Released outside the lock, because the release may run any code.
    }
}
