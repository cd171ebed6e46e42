public import Foundation
public import SiestaCore

extension Resource {
    /// Loads this resource repeatedly, as long as it is observed and `owner` exists.
    ///
    ///     profile.addObserver(self).poll(every: 30, owner: self)
    ///
    /// The first load starts at once if the resource is not up to date. The next load starts `interval` seconds after
    /// the end of the last load, even if other code started that load. It starts even if the data is still fresh. If
    /// several owners poll the resource, the shortest interval applies.
    ///
    /// There are no loads while the resource has no observers, the app is in the background (``AppActivity``), or there
    /// is no network (``NetworkStatus``). When loads are possible again, the resource is loaded at once if it is not up
    /// to date.
    ///
    /// The resource stays in memory while it is polled. A service has one timer for all of its polls.
    ///
    /// - Parameters:
    ///   - interval: The time in seconds. A value below 0.1 counts as 0.1. With zero, a negative value, infinity or
    ///     NaN, no polling starts, and a message is logged.
    ///   - owner: The object whose release ends the polling, within about one second. If the same owner polls again,
    ///     the new interval applies.
    @discardableResult
    public func poll(every interval: TimeInterval, owner: AnyObject) -> Self {
        MainQueue.check("Resource.poll(every:owner:)")
        context.feature(Reloading.self).poll(self, every: interval, owner: owner)
        return self
    }

    /// Ends the polling by `owner`. The polling by other owners continues.
    public func stopPolling(owner: AnyObject) {
        MainQueue.check("Resource.stopPolling(owner:)")
        context.known(Reloading.self)?.stopPolling(self, owner: owner)
    }

    /// Returns the ``states`` of this resource. While a loop receives the states, the resource is polled; see
    /// ``poll(every:owner:)``.
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

    /// Ends the polling by `owner`; see ``Resource/stopPolling(owner:)``.
    public func stopPolling(owner: AnyObject) {
        resource.stopPolling(owner: owner)
    }

    /// Returns the states of this resource, which is polled while a loop receives them; see
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
