import Foundation
import SiestaCore

/// Cancels the loads of resources whose last observer has been gone for a time; see
/// ``Configuration/cancelsLoadsAfterLastObserver``.
///
/// Nothing tells the library that the owner of an observer was released. Therefore it looks at the resources while they
/// load.
@MainActor
final class AbandonedLoads {
    private struct Watch {
        let delay: TimeInterval
        var wasObserved = false
        /// The newest load when the resource was observed last. Nobody has observed the resource during later ones.
        var lastObserved: Resource.State.LoadNumber = 0
        /// The time at which the resource had no observer for the first time after it had one.
        var since: TimeInterval?
    }

    private let clock: SiestaClock
    private var watches: [Resource: Watch] = [:]
    private var timer: TimeInterval?

    init(clock: SiestaClock) {
        self.clock = clock
    }

    /// Begins to watch a resource that loads.
    func watch(_ resource: Resource, delay: TimeInterval) {
        if watches[resource] == nil { watches[resource] = Watch(delay: delay >= 0 ? delay : 0) }
        check(resource)
    }

    /// Looks whether a watched resource still loads and is still observed.
    func check(_ resource: Resource) {
        guard watches[resource] != nil else { return }
        let isObserved = resource.isObserved  // May run code of the app.
        guard var watch = watches[resource] else { return }
        guard resource.state.isLoading else { return watches[resource] = nil }
        let now = clock.monotonicTime
        watch.since = isObserved || !watch.wasObserved ? nil : watch.since ?? now
        if isObserved { (watch.wasObserved, watch.lastObserved) = (true, resource.state.lastLoad) }
        watches[resource] = watch
        guard let since = watch.since else { return wait(until: clock.time(after: Self.interval(watch.delay))) }
        guard now >= since + watch.delay else { return wait(until: since + watch.delay) }
        watches[resource] = Watch(delay: watch.delay)  // Other loads go on, and may be observed later.
        resource.cancelLoadIfUnobserved(before: watch.lastObserved + 1)
        if watches[resource] != nil { wait(until: clock.time(after: Self.interval(watch.delay))) }
    }

    /// Returns the time until the next look at an observed resource, in seconds.
    private static func interval(_ delay: TimeInterval) -> TimeInterval { max(0.1, min(delay / 4, 5)) }

    private func wait(until time: TimeInterval) {
        guard time.isFinite else { return }
        if let timer, timer <= time { return }
        timer = time
        clock.schedule(after: time - clock.monotonicTime) { [weak self] in
            guard let self, timer == time else { return }
            timer = nil
            for resource in watches.keys { check(resource) }
        }
    }
}
