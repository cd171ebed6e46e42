import Foundation

/// The time since which a resource is unused, as far as a sweep has noticed it.
final class UnusedTime: ResourceExtension {
    /// The monotonic time in seconds; nil if the resource was in use.
    fileprivate var since: TimeInterval?
}

/// A timer that looks at the resources of a service, and drops those that were unused for too long; see
/// ``Configuration/retention``.
///
/// Nothing tells the library that the app has released a resource. Therefore the library looks at the resources at
/// intervals of half the shortest retention, and of at least a second. The look-up of resources costs no more.
final class Retention: ServiceExtension {
    private unowned let context: ResourceContext
    /// The shortest retention in the current sweep, in seconds; nil if no resource has one.
    private var shortest: TimeInterval?
    /// The monotonic time of the next sweep, in seconds; nil if none is planned.
    private var nextSweep: TimeInterval?

    init(context: ResourceContext) {
        self.context = context
    }

    /// Plans a sweep for a resource with this retention, unless an earlier sweep is planned.
    func plan(for retention: TimeInterval) {
        let (clock, delay) = (context.clock, min(max(1, retention / 2), 3600))
        let time = clock.monotonicTime + delay
        if let nextSweep, nextSweep <= time { return }
        nextSweep = time
        clock.schedule(after: delay) { [weak self, weak context] in
            guard let self, let context, nextSweep == time else { return }
            nextSweep = nil
            sweep(context)
            if let shortest { plan(for: shortest) }
        }
    }

    /// Drops the resources that were unused for longer than their retention.
    private func sweep(_ context: ResourceContext) {
        // Dismisses observers that have lost their owners, which may run code of the app.
        for resource in context.registry.elements
        where resource.knownRetention != nil && resource.standing == .unsettled {
            _ = resource.settleObservers()
        }
        shortest = nil
        let now = context.clock.monotonicTime
        let dropped = context.registry.drop(standing: \.standing) { resource, isUnused, wasUsed in
            isExpired(resource, isUnused: isUnused, wasUsed: wasUsed, at: now)
        }
        if shortest != nil { context.registry.setMark(.sweep) } else { context.registry.removeMark(.sweep) }
        context.noteDropped(dropped)
    }

    /// Returns true if a resource must be dropped. Runs no code of the app.
    ///
    /// - Parameter wasUsed: True if the resource was looked up since the last sweep.
    private func isExpired(_ resource: Resource, isUnused: Bool, wasUsed: Bool, at now: TimeInterval) -> Bool {
        guard let retention = resource.knownRetention else { return false }
        let limit = retention >= 0 ? retention : 0
        if isUnused {
            let unused = resource.extended(with: UnusedTime())
            let since = wasUsed ? now : unused.since ?? now
            if now - since >= limit { return true }
            unused.since = since
        } else {
            resource.known(UnusedTime.self)?.since = nil
        }
        shortest = min(shortest ?? limit, limit)
        return false
    }
}
