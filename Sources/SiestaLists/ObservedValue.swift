import SiestaCore

/// The current value of a view of data, with its observers: closures, asynchronous iterations, and code that tracks it.
///
/// A change has two steps. ``set(_:)`` replaces the value, and tells Observation. ``deliver()`` tells closures and
/// iterations, one value after the other. Code of the app that is called may change the value again, and may add and
/// remove observers. A value is delivered to the observers that existed when it was set.
@MainActor
final class ObservedValue<Value> {
    private final class Listener {
        weak var owner: AnyObject?
        /// The number of the newest value when the listener was added. It receives newer values only.
        let begin: Int
        let closure: (Value) -> Void
        var isRemoved = false

        init(owner: AnyObject, begin: Int, closure: @escaping (Value) -> Void) {
            (self.owner, self.begin, self.closure) = (owner, begin, closure)
        }
    }

    private struct Waiter {
        weak var iteration: ObservedIteration<Value>?
    }

    private var stored: Value
    /// A number that changes with each new value.
    private(set) var number = 0
    private let tracked = TrackedProperty()
    private var listeners: [Listener] = []
    private var waiters: [Waiter] = []
    private var sweepLimit = SweepLimit()
    private var undelivered: [(number: Int, value: Value)] = []
    /// False if ``undelivered`` is empty. Far cheaper to read than the generic array.
    private var hasUndelivered = false
    private var isDelivering = false
    /// Returns true if two values are the same, so that an iteration need not receive the second one.
    let areSame: (Value, Value) -> Bool

    init(_ value: Value, areSame: @escaping (Value, Value) -> Bool = { _, _ in false }) {
        stored = value
        self.areSame = areSame
    }

    /// The current value, which Observation tracks.
    var value: Value {
        track()
        return stored
    }

    /// Makes Observation track the value.
    func track() { tracked.access() }

    /// The current value, untracked.
    var current: Value { stored }

    /// The number of closures and iterations, including those that have ended since the last sweep.
    var observerCount: Int { listeners.count + waiters.count }

    /// Replaces the value. Code that tracks the value still reads the old one while it is told, and may set another value.
    /// Therefore `make` is called afterwards. It must not run code of the app.
    func set(_ make: () -> Value) {
        tracked.willSet()
        let new = make()
        let old = exchange(&stored, with: new)
        number += 1
        if observerCount > 0 {
            undelivered.append((number, new))
            hasUndelivered = true
        }
        tracked.didSet()
        withExtendedLifetime(old) {}  // Released after the change, because the release may run code of the app.
    }

    /// Adds a closure until `owner` is released, and calls it with `value`; nil for the current value.
    func add(owner: AnyObject, with value: Value? = nil, _ closure: @escaping (Value) -> Void) {
        listeners.append(Listener(owner: owner, begin: number, closure: closure))
        sweepIfNeeded()
        closure(value ?? stored)
    }

    func remove(ownedBy owner: AnyObject) {
        removeListeners { $0 === owner }
    }

    func add(_ iteration: ObservedIteration<Value>) {
        waiters.append(Waiter(iteration: iteration))
        sweepIfNeeded()
    }

    /// Removes iterations that have ended, and `iteration`.
    func remove(_ iteration: ObservedIteration<Value>?) {
        let old = waiters
        let present = old.map { $0.iteration }
        waiters = present.filter { $0 != nil && $0 !== iteration }.map { Waiter(iteration: $0) }
        withExtendedLifetime((old, present)) {}
    }

    /// Removes closures and iterations that have ended. Without it, they would stay until the next change.
    private func sweepIfNeeded() {
        guard sweepLimit.isReached(by: observerCount) else { return }
        removeListeners { $0 == nil }
        remove(nil as ObservedIteration<Value>?)
        sweepLimit.noteSweep(leaving: observerCount)
    }

    /// Delivers the values that were set. Without such a value, costs nothing, however many observers there are.
    func deliver() {
        guard hasUndelivered, !isDelivering else { return }
        isDelivering = true
        defer { (isDelivering, hasUndelivered) = (false, !undelivered.isEmpty) }
        while !undelivered.isEmpty {
            let next = undelivered.removeFirst()
            for listener in listeners where listener.begin < next.number {
                if !listener.isRemoved, listener.owner != nil { listener.closure(next.value) }
            }
            for waiter in waiters { waiter.iteration?.serve() }
        }
        removeListeners { $0 == nil }
        remove(nil as ObservedIteration<Value>?)
    }

    /// Removes listeners. Releases them after the change, because the release may run code of the app.
    private func removeListeners(_ isUnwanted: (AnyObject?) -> Bool) {
        let old = listeners
        let owners = old.map { $0.owner }
        for (listener, owner) in zip(old, owners) where isUnwanted(owner) { listener.isRemoved = true }
        listeners = old.filter { !$0.isRemoved }
        withExtendedLifetime((old, owners)) {}
    }
}

/// One iteration over the values of a view. Only the iterator references this object.
@MainActor
final class ObservedIteration<Value> {
    private let observed: ObservedValue<Value>
    /// Keeps the view alive during the iteration.
    private nonisolated let view: any AnyObject & Sendable
    /// The value that the task has received last, and its number.
    private var last: (number: Int, value: Value)?
    private var phase = Phase.notStarted
    private var waiting: CheckedContinuation<Bool, Never>?

    private enum Phase { case notStarted, observing, ended }

    /// Creates the iteration. It begins when the first value is requested.
    nonisolated init(_ observed: ObservedValue<Value>, keeping view: any AnyObject & Sendable) {
        (self.observed, self.view) = (observed, view)
    }

    /// Waits for the next value. Returns nil if the task is cancelled.
    func next() async -> UncheckedSendable<Value?> {
        if phase == .notStarted {
            phase = .observing
            observed.add(self)
        }
        while await hasValue() {
            let (number, newest) = (observed.number, observed.current)
            // Since the task was woken, the value may have changed back, for example by a wipe.
            if isKnown(number, newest) { continue }
            let old = exchange(&last, with: (number, newest))
            withExtendedLifetime(old) {}
            return UncheckedSendable(newest)
        }
        return UncheckedSendable(nil)
    }

    /// Waits for a value that the task has not received. Returns false at the end of the iteration.
    private func hasValue() async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiting?.resume(returning: false)
                waiting = continuation
                if Task.isCancelled { end() }
                serve()
            }
        } onCancel: {
            MainQueue.async { self.end() }
        }
    }

    private func end() {
        phase = .ended
        observed.remove(self)
        serve()
    }

    /// Wakes the waiting task, unless it has received the newest value already.
    func serve() {
        guard waiting != nil else { return }
        if phase != .ended, isKnown(observed.number, observed.current) { return }
        // The comparison may be code of the app, which may have changed the value. Then the task was woken.
        exchange(&waiting, with: nil)?.resume(returning: phase != .ended)
    }

    private func isKnown(_ number: Int, _ value: Value) -> Bool {
        guard let last else { return false }
        return last.number == number || observed.areSame(last.value, value)
    }
}

/// The values of a ``Selection`` or of a ``ResourceSwitcher``, now and after each change, as an asynchronous sequence for
/// any number of concurrent iterations.
///
/// Each iteration receives the current value at once, and then the newest value after each change. A consumer that was
/// busy receives only the newest value. An iteration keeps the selection or the switcher alive. It ends when the loop is
/// left or the task is cancelled.
struct ViewValues<Element: Sendable>: AsyncSequence, Sendable {
    /// The sequence does not fail.
    typealias Failure = Never

    let observed: ObservedValue<Element>
    let view: any AnyObject & Sendable

    /// Creates the iterator of a new iteration.
    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(iteration: ObservedIteration(observed, keeping: view))
    }

    /// The iterator of one loop over the values.
    struct AsyncIterator: AsyncIteratorProtocol {
        let iteration: ObservedIteration<Element>

        /// Waits for the next value. Returns nil if the task is cancelled.
        mutating func next() async -> Element? { await iteration.next().value }

        /// Waits for the next value. Returns nil if the task is cancelled.
        mutating func next(isolation: isolated (any Actor)?) async -> Element? { await iteration.next().value }
    }
}

/// Not `Sendable`: an iteration belongs to one task.
@available(*, unavailable)
extension ViewValues.AsyncIterator: Sendable {}
