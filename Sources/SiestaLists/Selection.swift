import HTTPRules
public import SiestaCore

/// A part of the content of a resource, or a value that is computed from the content.
///
///     let name = user.select(\.name)
///     name.addObserver(owner: self) { _, name in show(name) }
///
/// The part is evaluated once each time the content changes, regardless of the number of observers, iterations and
/// readers. Observers and iterations are notified only if the part has changed: its old and new values are compared
/// with `==`. Changes to other parts, confirmations by the server, the progress of loads, and errors cause no
/// notification.
///
/// Each call to `select` creates a new selection, which evaluates its part separately. Therefore, keep a selection, and
/// share it. Once a selection is released, observers and Observation receive no more events from it.
///
/// While a selection exists, it counts as an observer of its resource, and keeps the resource in memory. Copies of this
/// structure refer to the same selection. Use a selection on the main actor. A task that does not run on the main actor
/// can iterate over ``values``.
@MainActor
public struct Selection<Value>: Sendable {
    let core: SelectionCore<Value>

    /// The part of the current content; nil if there is no content, if the content has another type, or if the part
    /// itself is nil.
    ///
    /// Observation tracks this property, and reports a change only if the part changes. Reading the property is cheap,
    /// because the part is evaluated only if the content has changed.
    public var value: Value? {
        MainQueue.checkInDebug("Selection.value")
        core.refresh()
        return core.observed.value
    }

    /// The resource to which the part belongs.
    public var resource: Resource { core.resource }

    /// Adds a closure as an observer until `owner` is released. Each call adds a new observer.
    ///
    /// The closure runs on the main thread. It receives the selection and the current part before this method returns,
    /// and then each new part. The selection and its resource stay in memory until `owner` is released, or until
    /// ``removeObservers(ownedBy:)`` is called. The release of an owner is detected within about one second. After
    /// that, the selection still keeps the closure until the part changes, or until the selection is released.
    @discardableResult
    public func addObserver(owner: AnyObject, closure: @escaping (Selection<Value>, Value?) -> Void) -> Self {
        MainQueue.checkInDebug("Selection.addObserver(owner:closure:)")
        core.add(owner: owner) { [weak core] value in
            if let core { closure(Selection(core: core), value) }
        }
        return self
    }

    /// Removes the closures that `owner` owns. The removed closures are not called again, and no longer keep the
    /// selection in memory.
    public func removeObservers(ownedBy owner: AnyObject?) {
        MainQueue.checkInDebug("Selection.removeObservers(ownedBy:)")
        if let owner { core.remove(ownedBy: owner) }
    }
}

extension Selection where Value: Sendable {
    /// An asynchronous sequence of the current part and each later part. Any number of loops can iterate over it
    /// concurrently. An element is nil in the same cases as ``value``.
    ///
    /// Each iteration receives the current part at once, and then the newest part after each change. A slow consumer
    /// receives only the newest part. An iteration keeps the selection in memory, and ends when the loop exits or the
    /// task is cancelled.
    public var values: some AsyncSequence<Value?, Never> & Sendable { ViewValues(observed: core.observed, view: core) }
}

extension Resource {
    /// Returns a selection of a part of the resource's data, or of a value that is computed from the data; see
    /// ``Selection``.
    ///
    ///     let total = service.resource("/users").select { $0.header(forKey: "X-Total") }
    ///
    /// - Parameter part: A closure that returns the part. It is called on the main thread each time ``latestData``
    ///   changes. It is also called when the server confirms the data, because this changes the timestamp of the
    ///   entity. The closure should be quick, and have no side effects.
    public func select<Value: Equatable>(_ part: @escaping (Entity<Any>) -> Value?) -> Selection<Value> {
        MainQueue.checkInDebug("Resource.select(_:)")
        return Selection(core: SelectionCore(self, ofContent: false, part))
    }
}

extension TypedResource {
    /// Returns a selection of a part of the content, or of a value that is computed from the content; see
    /// ``Selection``.
    ///
    ///     let name = user.select(\.name)
    ///     let count = user.select { $0.friends.count }
    ///
    /// - Parameter part: A key path or a closure that returns the part. It is called on the main thread each time the
    ///   content changes. The closure should be quick, and have no side effects.
    public func select<Value: Equatable>(_ part: @escaping (Content) -> Value?) -> Selection<Value> {
        MainQueue.checkInDebug("TypedResource.select(_:)")
        let core = SelectionCore<Value>(resource, ofContent: true) { data in
            data.cast(to: Content.self).flatMap(part)
        }
        return Selection(core: core)
    }
}

/// The state of a selection. It observes the resource: weakly held as its own owner, and strongly held while a closure has
/// an owner.
@MainActor
final class SelectionCore<Value>: ResourceObserver {
    let resource: Resource
    let observed: ObservedValue<Value?>
    private let part: (Entity<Any>) -> Value?
    /// True if the part depends on the content only, and not on headers and timestamp.
    private let isOfContent: Bool
    /// The revision of the data whose part was evaluated last; nil before the first evaluation.
    private var revision: UInt64?
    /// True while code of the app evaluates the part, or is told of a new part. This code may read the part.
    private var isRefreshing = false

    init(_ resource: Resource, ofContent: Bool, _ part: @escaping (Entity<Any>) -> Value?) where Value: Equatable {
        self.resource = resource
        self.part = part
        isOfContent = ofContent
        observed = ObservedValue(nil, areSame: equality())
        resource.addObserver(self)
    }

    private var currentRevision: UInt64 { isOfContent ? resource.contentRevision : resource.state.shownRevision }

    /// Evaluates the part if the data has changed since the last evaluation. If the evaluation itself changes the data,
    /// it is repeated, a limited number of times.
    func refresh() {
        guard revision != currentRevision, !isRefreshing else { return }
        isRefreshing = true
        defer { isRefreshing = false }
        for _ in 0..<16 where revision != currentRevision {
            revision = currentRevision
            let new = resource.context.clock.whileCurrent { resource.shownData.flatMap(part) }
            if !observed.areSame(observed.current, new) { observed.set { new } }
        }
    }

    func resourceChanged(_ resource: Resource, event: ResourceEvent) {
        refresh()
        observed.deliver()
    }

    func add(owner: AnyObject, _ closure: @escaping (Value?) -> Void) {
        refresh()
        resource.addObserver(self, owner: owner)
        resource.context.clock.whileCurrent {
            observed.add(owner: owner) { [resource] value in
                // An observer that was told before may have wiped the resource. The part without content follows.
                if value == nil || resource.hasShownData { closure(value) }
            }
        }
    }

    func remove(ownedBy owner: AnyObject) {
        observed.remove(ownedBy: owner)
        resource.removeOwner(owner, of: self)
    }
}

/// Returns a closure that compares values. It is made outside the main actor, because the conformance to `Equatable` may
/// have any isolation.
private func equality<Value: Equatable>() -> (Value?, Value?) -> Bool {
    if Value.self == String.self {
        return { one, other in
            guard let one = one as? String, let other = other as? String else { return (one == nil) == (other == nil) }
            return StreamSafety.areEqual(one, other)
        }
    }
    // The generic operator for optional values would look up the metadata of a pair of them each time.
    return { one, other in
        if let one, let other { return one == other }
        return (one == nil) == (other == nil)
    }
}
