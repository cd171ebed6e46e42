import Foundation
import SiestaCore

/// The polled resources of one service, with one timer.
@MainActor
final class Poller {
    private struct Owner {
        weak var object: AnyObject?
        let interval: TimeInterval
    }

    private struct Member {
        var resource: Resource?
        /// Most resources have one owner. Its interval is that of the slot.
        weak var owner: AnyObject?
        /// All owners, if there are several.
        var owners: Indirect<[Owner]> = .none
        /// True if the resource was due while it had no observer.
        var isPaused = false
    }

    /// The shortest interval, in seconds.
    static let minimumInterval: TimeInterval = 0.1
    /// The longest interval, in seconds: more than 30 years. The schedule cannot count with every number.
    private static let maximumInterval: TimeInterval = 1e9
    /// The time after which an unobserved resource is looked at again, in seconds. A shorter interval counts as this.
    private static let unobservedInterval: TimeInterval = 10

    private let clock: SiestaClock
    private var schedule = PollSchedule()
    private var members: [Member] = []
    private var slots: [ObjectIdentifier: Int32] = [:]
    private var timer: TimeInterval?
    private var sweepLimit = SweepLimit()
    /// False while the app is in the background or has no network.
    private var isPermitted: Bool
    /// Loads a resource if it needs it, unless it was loaded a moment ago.
    private let loadIfNeeded: (Resource) -> Void

    init(clock: SiestaClock, isPermitted: Bool, loadIfNeeded: @escaping (Resource) -> Void) {
        (self.clock, self.isPermitted, self.loadIfNeeded) = (clock, isPermitted, loadIfNeeded)
    }

    /// Polls a resource. If it is polled already, adds an owner.
    func poll(_ resource: Resource, every interval: TimeInterval, owner: AnyObject) {
        guard interval > 0, interval.isFinite else {
            return SiestaLog.log(.network, ["Warning: no polling of", resource, "with the interval", interval])
        }
        sweepIfNeeded()
        let interval = min(max(Self.minimumInterval, interval), Self.maximumInterval)
        if let slot = slots[ObjectIdentifier(resource)].map(Int.init) {
            add(Owner(object: owner, interval: interval), to: slot)
        } else {
            let slot = schedule.add(interval: interval)
            if slot == members.count { members.append(Member()) }
            members[slot] = Member(resource: resource, owner: owner)
            slots[ObjectIdentifier(resource)] = Int32(slot)
        }
        resume(resource)
    }

    func stop(_ resource: Resource, owner: AnyObject) {
        guard let slot = slots[ObjectIdentifier(resource)].map(Int.init) else { return }
        setOwners(owners(of: slot).filter { $0.object !== owner }, of: slot)
    }

    /// True if no resource is polled.
    var isEmpty: Bool { slots.isEmpty }

    /// Ends the polling of a resource for all owners.
    func end(_ resource: Resource) {
        if let slot = slots[ObjectIdentifier(resource)].map(Int.init) { remove(slot) }
    }

    /// The owners that exist.
    private func owners(of slot: Int) -> [Owner] {
        let all =
            members[slot].owners.value
            ?? [Owner(object: members[slot].owner, interval: schedule.interval(of: slot))]
        return all.filter { $0.object != nil }
    }

    private func add(_ owner: Owner, to slot: Int) {
        setOwners(owners(of: slot).filter { $0.object !== owner.object } + [owner], of: slot)
    }

    /// Sets the owners. Without an owner, the polling ends.
    private func setOwners(_ owners: [Owner], of slot: Int) {
        guard let interval = owners.map(\.interval).min() else { return remove(slot) }
        members[slot].owner = owners[0].object
        members[slot].owners = owners.count > 1 ? .some(owners) : .none
        schedule.setInterval(interval, of: slot)
    }

    private func remove(_ slot: Int) {
        guard members[slot].resource != nil else { return }  // Code of the app has already removed it.
        schedule.remove(slot)
        // Released after the change, because the release may run code of the app.
        let old = exchange(&members[slot], with: Member())
        if let resource = old.resource { slots[ObjectIdentifier(resource)] = nil }
        extendLifetime(old)
    }

    /// Removes the resources whose owners are gone, from time to time.
    private func sweepIfNeeded() {
        guard sweepLimit.isReached(by: slots.count) else { return }
        sweep()
        sweepLimit.noteSweep(leaving: slots.count)
    }

    /// Removes the owners that are gone, and the resources that have no other owner.
    func sweep() {
        for slot in slots.values.map(Int.init) {
            let owners = owners(of: slot)
            // An owner that is gone may have had the shortest interval.
            if owners.count != members[slot].owners.value?.count ?? 1 { setOwners(owners, of: slot) }
        }
    }

    // MARK: Events

    /// Loads a polled resource that may be shown again, if it needs it. After a pause, the next interval begins. An interval
    /// that is running goes on. Otherwise, observers that come often enough would postpone the next load for ever.
    func resume(_ resource: Resource) {
        guard let slot = slots[ObjectIdentifier(resource)].map(Int.init) else { return }
        if isPermitted, resource.isObserved { loadIfNeeded(resource) }
        // Loading runs code of the app.
        guard slots[ObjectIdentifier(resource)].map(Int.init) == slot else { return }
        let isRunning = schedule.isScheduled(slot) && !members[slot].isPaused && !resource.state.isLoading
        if isRunning { updateTimer() } else { begin(slot, resource) }
    }

    /// Begins the next interval of a polled resource, because a load has ended.
    func loadEnded(_ resource: Resource) {
        guard let slot = slots[ObjectIdentifier(resource)].map(Int.init) else { return }
        begin(slot, resource)
    }

    private func begin(_ slot: Int, _ resource: Resource) {
        members[slot].isPaused = false
        guard !resource.state.isLoading else { return schedule.pause(slot) }
        schedule.schedule(slot, at: clock.time(after: schedule.interval(of: slot)))
        updateTimer()
    }

    /// Stops the timer while the app is in the background or has no network. Afterwards, all observed resources are
    /// loaded if they need it.
    func permit(_ isPermitted: Bool) -> [Resource] {
        guard exchange(&self.isPermitted, with: isPermitted) != isPermitted, isPermitted else { return [] }
        sweep()
        let resources = slots.values.compactMap { members[Int($0)].resource }
        for resource in resources { loadEnded(resource) }
        updateTimer()
        return resources
    }

    // MARK: Timer

    private func updateTimer() {
        guard isPermitted, let next = schedule.first?.due else { return }
        if let timer, timer <= next { return }
        timer = next
        clock.schedule(after: next - clock.monotonicTime) { [weak self] in self?.fire(next) }
    }

    private func fire(_ planned: TimeInterval) {
        guard timer == planned else { return }  // Another timer has replaced this one.
        timer = nil
        let now = clock.monotonicTime
        while isPermitted, let next = schedule.first, next.due <= now + 0.000_5 { poll(next.slot) }
        updateTimer()
    }

    private func poll(_ slot: Int) {
        guard let resource = members[slot].resource, !owners(of: slot).isEmpty else { return remove(slot) }
        setOwners(owners(of: slot), of: slot)
        let isObserved = resource.isObserved
        guard members[slot].resource === resource else { return }  // Code of the app has ended the poll.
        guard isObserved else {
            members[slot].isPaused = true
            let pause = max(schedule.interval(of: slot), Self.unobservedInterval)
            return schedule.schedule(slot, at: clock.time(after: pause))
        }
        guard !resource.isHeldByServer else {
            return schedule.schedule(slot, at: clock.time(after: schedule.interval(of: slot)))
        }
        schedule.pause(slot)  // Until the load ends.
        guard !resource.state.isLoading else { return }
        resource.context.because(.poll) { _ = resource.load() }
    }
}

extension Resource {
    /// True if the server has asked for a time without requests, and the time has not passed.
    fileprivate var isHeldByServer: Bool {
        guard let error = state.error, error.additionalRetryTime > 0 else { return false }
        return isUpToDateNow
    }
}
