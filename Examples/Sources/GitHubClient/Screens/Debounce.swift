/// Runs an action once nobody has asked for another one for a while.
@MainActor
package final class Debounce {
    private let delay: Duration
    private var timer: Task<Void, Never>?
    private var action: (@MainActor () -> Void)?

    /// Creates one that waits for a quarter of a second by default.
    package init(delay: Duration = .milliseconds(250)) {
        self.delay = delay
    }

    /// Whether an action waits.
    package var isWaiting: Bool { action != nil }

    /// Lets an action wait in place of the one that waits already.
    package func schedule(_ action: @escaping @MainActor () -> Void) {
        cancel()
        self.action = action
        timer = Task { [weak self, delay] in
            if (try? await Task.sleep(for: delay)) != nil { self?.fire() }
        }
    }

    /// Runs at once what waits.
    package func fire() {
        let action = action
        cancel()
        action?()
    }

    /// Forgets what waits.
    package func cancel() {
        timer?.cancel()
        (timer, action) = (nil, nil)
    }
}
