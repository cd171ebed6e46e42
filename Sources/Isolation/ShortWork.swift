import Dispatch
import Synchronization

/// A serial queue that takes one piece of short work at a time.
///
/// Each thread pool of Dispatch belongs to one kind of global queue. Where the main queue has no thread of its own, as in
/// command-line tools with asynchronous code at the top level, it uses the threads of serial queues. Work on a serial queue
/// can therefore follow work of the main queue, and be followed by it, on the same thread. Waking another thread would take
/// longer than short work itself.
package final class ShortWork: Sendable {
    package static let shared = ShortWork()

    private let queue = DispatchQueue(label: "Siesta.short-work")
    private let isBusy = Atomic(false)
    private let work = Locked<(@Sendable () -> Void)?>(nil)

    package init() {}

    /// Runs `work` on the queue, and returns at once. Returns false, and does nothing, if the queue has other work.
    package func run(_ work: @escaping @Sendable () -> Void) -> Bool {
        guard isBusy.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged else {
            return false
        }
        self.work.withLock { $0 = work }
        queue.async { [self] in runNext() }
        return true
    }

    private func runNext() {
        // The work is released before the queue is free, because its release may run code of the app.
        self.work.withLock { exchange(&$0, with: nil) }?()
        isBusy.store(false, ordering: .releasing)
    }
}
