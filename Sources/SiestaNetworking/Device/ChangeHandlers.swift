/// The handlers of a ``NetworkStatus`` or an ``AppActivity``.
///
/// Each handler has an owner. After the owner is released, its handler is no longer called. A later call to ``call()``
/// or ``add(owner:_:)`` releases such handlers. Adding a handler takes amortised constant time.
///
/// Handlers may add handlers, release owners, and cause further changes.
@MainActor
final class ChangeHandlers {
    private struct Entry {
        weak let owner: AnyObject?
        let handler: @MainActor () -> Void
    }

    private var entries: [Entry] = []
    /// The number of entries at which those of released owners are removed next.
    private var sweepLimit = SweepLimit(minimum: 16)

    nonisolated init() {}

    /// The number of handlers, including those whose owners were released recently.
    var count: Int { entries.count }

    /// Adds a handler that is called until `owner` is released. The owner is held weakly.
    func add(owner: AnyObject, _ handler: @escaping @MainActor () -> Void) {
        if sweepLimit.isReached(by: entries.count) { sweep() }
        entries.append(Entry(owner: owner, handler: handler))
    }

    /// Calls the handlers in the order in which they were added.
    ///
    /// A handler that is added during the call is not called. A handler whose owner is released during the call is no
    /// longer called. If a handler calls this function again, all handlers are first called for the second change. Then
    /// the remaining handlers are called for the first change. Therefore a handler should read the current value.
    func call() {
        var hasReleasedOwners = false
        for entry in entries {
            if let owner = entry.owner {
                withExtendedLifetime(owner) { entry.handler() }
            } else {
                hasReleasedOwners = true
            }
        }
        if hasReleasedOwners { sweep() }
    }

    /// Removes the handlers of released owners.
    ///
    /// The handlers and owners are kept until the change is complete, because their release may run code of the app.
    private func sweep() {
        let old = entries
        let owners = old.map(\.owner)
        entries = zip(old, owners).filter { $0.1 != nil }.map(\.0)
        sweepLimit.noteSweep(leaving: entries.count)
        withExtendedLifetime((old, owners)) {}
    }
}
