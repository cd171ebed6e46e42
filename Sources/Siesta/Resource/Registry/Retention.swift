import Foundation

/// The times since which resources are unused, and a timer that looks at them; see ``Configuration/retention``.
///
/// Nothing tells the library that the app has released a resource. Therefore the library looks at the resources at
/// intervals of half the shortest retention, and of at least a second. The look-up of resources costs no more.
@MainActor
final class Retention {
    private let clock: SiestaClock
    /// Drops resources. Returns false if no resource has a retention.
    private let sweep: () -> Bool
    private var unusedSince: [ObjectIdentifier: TimeInterval] = [:]
    private var stillUnused: [ObjectIdentifier: TimeInterval] = [:]
    private var shortest: TimeInterval?
    /// The monotonic time of the next sweep, in seconds; nil if none is planned.
    private var nextSweep: TimeInterval?

    init(clock: SiestaClock, sweep: @escaping () -> Bool) {
        (self.clock, self.sweep) = (clock, sweep)
    }

    /// Plans a sweep for a resource with this retention, unless an earlier sweep is planned.
    func plan(for retention: TimeInterval) {
        let delay = min(max(1, retention / 2), 3600)
        let time = clock.monotonicTime + delay
        if let nextSweep, nextSweep <= time { return }
        nextSweep = time
        clock.schedule(after: delay) { [weak self] in
            guard let self, nextSweep == time else { return }
            nextSweep = nil
            if sweep() { plan(for: shortest ?? 0) }
        }
    }

    func beginSweep() {
        (stillUnused, shortest) = ([:], nil)
    }

    /// Returns true if a resource must be dropped. Runs no code of the app.
    ///
    /// - Parameter wasUsed: True if the resource was looked up since the last sweep.
    func isExpired(_ resource: Resource, isUnused: Bool, wasUsed: Bool) -> Bool {
        guard let retention = resource.knownRetention else { return false }
        let limit = retention >= 0 ? retention : 0
        guard isUnused else {
            shortest = min(shortest ?? limit, limit)
            return false
        }
        let (key, now) = (ObjectIdentifier(resource), clock.monotonicTime)
        let since = wasUsed ? now : unusedSince[key] ?? now
        if now - since >= limit { return true }
        shortest = min(shortest ?? limit, limit)
        stillUnused[key] = since
        return false
    }

    /// Returns true if another sweep is needed.
    func endSweep() -> Bool {
        unusedSince = exchange(&stillUnused, with: [:])
        return shortest != nil
    }
}
