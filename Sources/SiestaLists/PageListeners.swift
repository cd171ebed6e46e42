import SiestaCore

/// What has happened to a list, and on which page. Without a page, the event is `.observerAdded`, or `.notModified` at the
/// end of a reload.
typealias PageEvent = (event: ResourceEvent, page: Resource?)

/// The observers of a list, with their owners, and the loops that iterate over its states.
@MainActor
final class PageListeners<List> {
    final class Listener {
        private(set) weak var owner: AnyObject?
        let closure: (List, PageEvent) -> Void
        /// True if the listener does not make the list count as an observer of its pages.
        let isPassive: Bool
        fileprivate(set) var isRemoved = false

        init(_ owner: AnyObject, isPassive: Bool, _ closure: @escaping (List, PageEvent) -> Void) {
            (self.owner, self.closure, self.isPassive) = (owner, closure, isPassive)
        }
    }

    private(set) var listeners: [Listener] = []
    /// The events that wait for their delivery, each with the observers that existed when it happened.
    private var undelivered: [(event: PageEvent, listeners: [Listener])] = []
    private var isDelivering = false
    private var loops: [Int: AsyncStream<Void>.Continuation] = [:]
    private var lastNumber = 0

    /// True if there are only passive observers.
    var isEmpty: Bool { loops.isEmpty && !listeners.contains { !$0.isPassive } }

    func add(owner: AnyObject, isPassive: Bool = false, _ closure: @escaping (List, PageEvent) -> Void) {
        listeners.append(Listener(owner, isPassive: isPassive, closure))
    }

    /// Removes the observers whose owner is `owner` or no longer exists. Releases them after the change, because the
    /// release may run code of the app.
    func remove(ownedBy owner: AnyObject?) {
        let old = listeners
        let owners = old.map { $0.owner }
        let isGone = owners.map { $0 == nil || $0 === owner }
        guard isGone.contains(true) else { return }
        for (listener, isGone) in zip(old, isGone) where isGone { listener.isRemoved = true }
        listeners = old.filter { !$0.isRemoved }
        withExtendedLifetime((old, owners)) {}
    }

    /// Tells the observers of an event, after the events that they are being told of.
    func deliver(_ event: PageEvent, of list: List) {
        guard !listeners.isEmpty else { return }
        undelivered.append((event, listeners))
        guard !isDelivering else { return }
        isDelivering = true
        defer { isDelivering = false }
        while !undelivered.isEmpty {
            let next = undelivered.removeFirst()
            for listener in next.listeners where !listener.isRemoved && listener.owner != nil {
                listener.closure(list, next.event)
            }
        }
    }

    func add(loop: AsyncStream<Void>.Continuation) -> Int {
        lastNumber += 1
        loops[lastNumber] = loop
        return lastNumber
    }

    func remove(loop number: Int) { loops[number] = nil }

    func wakeLoops() {
        for loop in loops.values { loop.yield() }
    }
}
