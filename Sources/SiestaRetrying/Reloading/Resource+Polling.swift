public import Foundation
public import SiestaCore

extension Resource {
    /// Loads this resource repeatedly, as long as it is observed and `owner` exists.
    ///
    ///     profile.addObserver(self).poll(every: 30, owner: self)
    ///
    /// The first load starts at once if the resource is not up to date. The next load starts `interval` seconds after
    /// the end of the last load, even if other code started that load. The next load starts even if the data is still
    /// fresh. If several owners poll the resource, the shortest of their intervals applies.
    ///
    /// Polling pauses while the resource has no observers, while the app is in the background (``AppActivity``), and
    /// while there is no network (``NetworkStatus``). After a pause, the resource is loaded at once if it is not up to
    /// date.
    ///
    /// The resource stays in memory while it is polled. A service has one timer for all of its polls.
    ///
    /// - Parameters:
    ///   - interval: The time between two loads, in seconds. A positive value below 0.1 counts as 0.1. If the value is
    ///     zero, negative, infinite or NaN, polling does not start, and a message is logged.
    ///   - owner: The object for which the resource is polled. Polling ends within about one second after the release
    ///     of this object. If the same owner polls again, the new interval replaces the old one.
    @discardableResult
    public func poll(every interval: TimeInterval, owner: AnyObject) -> Self {
        MainQueue.check("Resource.poll(every:owner:)")
        context.feature(Reloading.self).poll(self, every: interval, owner: owner)
        return self
    }

    /// Ends the polling that `owner` has started. Polling by other owners continues.
    public func stopPolling(owner: AnyObject) {
        MainQueue.check("Resource.stopPolling(owner:)")
        context.known(Reloading.self)?.stopPolling(self, owner: owner)
    }

    /// Returns the ``states`` of this resource. While a loop iterates over them, the resource is polled; see
    /// ``poll(every:owner:)``. If the resource is personal, the polling ends when the user of a session changes; the loop
    /// continues.
    ///
    ///     for await state in resource.states(pollingEvery: 30) { show(state.data) }
    ///
    /// - Parameter interval: The time between two loads, in seconds.
    public nonisolated func states(
        pollingEvery interval: TimeInterval
    ) -> some AsyncSequence<Snapshot, Never> & Sendable {
        ResourceStates(resource: self, companion: Polling(interval: interval))
    }
}

extension TypedResource {
    /// Loads this resource repeatedly, as long as it is observed and `owner` exists; see
    /// ``Resource/poll(every:owner:)``.
    @discardableResult
    public func poll(every interval: TimeInterval, owner: AnyObject) -> Self {
        resource.poll(every: interval, owner: owner)
        return self
    }

    /// Ends the polling that `owner` has started; see ``Resource/stopPolling(owner:)``.
    public func stopPolling(owner: AnyObject) {
        resource.stopPolling(owner: owner)
    }

    /// Returns the states of this resource. While a loop iterates over them, the resource is polled; see
    /// ``Resource/states(pollingEvery:)``.
    public nonisolated func states(
        pollingEvery interval: TimeInterval
    ) -> some AsyncSequence<Snapshot, Never> & Sendable {
        resource.states(pollingEvery: interval).map { Snapshot($0) }
    }
}

/// The polling of a resource during an iteration over its states.
private struct Polling: nonisolated ConsumerCompanion {
    let interval: TimeInterval

    @MainActor func began(_ resource: Resource, owner: AnyObject) { resource.poll(every: interval, owner: owner) }
    @MainActor func ended(_ resource: Resource, owner: AnyObject) { resource.stopPolling(owner: owner) }
}
