import Foundation

/// The running requests of one resource, including its loads. Pure.
package struct RunningRequests {
    private struct Entry {
        let request: any Request
        /// True if the resource made the request. A load may be a request of another resource.
        var isOwn: Bool
        /// The number of the load; nil if the request is not a load.
        var load: Resource.State.LoadNumber?
        /// The monotonic time at which the load began, in seconds. Infinite while it waits for a cache.
        var begin = TimeInterval.infinity
        /// True while the result of the load is being set.
        var isEnding = false
    }

    private var entries: [Entry] = []

    /// The requests that the resource made, in the order in which it made them.
    package var own: [any Request] { entries.filter(\.isOwn).map(\.request) }

    /// All requests, in the order in which they became known.
    var all: [any Request] { entries.map(\.request) }

    var hasOwn: Bool { entries.contains(where: \.isOwn) }

    var hasSeveralOwnRequests: Bool { entries.count > 1 && entries.count(where: \.isOwn) > 1 }

    /// The loads, in the order in which they started.
    var loads: [any Request] { loads(before: .max) }

    /// Returns the loads before the one with this number, in the order in which they started.
    func loads(before number: Resource.State.LoadNumber) -> [any Request] {
        entries.filter { ($0.load ?? .max) < number }.sorted { ($0.load ?? 0) < ($1.load ?? 0) }.map(\.request)
    }

    /// True if a load has not begun, because it waits for a cache.
    var hasWaitingLoad: Bool {
        for index in entries.indices where entries[index].begin == .infinity && entries[index].load != nil {
            return true
        }
        return false
    }

    /// Returns the number of the first load after `number` that has not begun, because it waits for a cache. Nil if there is
    /// none, or if a later load has begun.
    func firstWaitingLoad(after number: Resource.State.LoadNumber) -> Resource.State.LoadNumber? {
        let begun = entries.lazy.filter(\.begin.isFinite).compactMap(\.load).max() ?? 0
        return entries.lazy.compactMap(\.load).filter { $0 > max(begun, number) }.min()
    }

    /// Returns the load that started first after the load with this number; nil if no such load is running.
    package func firstLoad(after number: Resource.State.LoadNumber) -> (any Request)? {
        // Loops over indices do not copy the entries, which hold references.
        var (first, lowest): (Int?, Resource.State.LoadNumber) = (nil, .max)
        for index in entries.indices {
            guard let load = entries[index].load, load > number, load < lowest else { continue }
            (first, lowest) = (index, load)
        }
        return first.map { entries[$0].request }
    }

    /// Returns the number of the first load that did not begin before a time; nil if no such load is running. A load whose
    /// result is being set does not count.
    func firstLoad(notBefore time: TimeInterval) -> Resource.State.LoadNumber? {
        entries.lazy.filter { $0.begin >= time && !$0.isEnding }.compactMap(\.load).min()
    }

    /// True if there is a load besides this one.
    func hasLoad(besides request: any Request) -> Bool {
        entries.contains { $0.load != nil && $0.request !== request }
    }

    func hasLoad(_ number: Resource.State.LoadNumber) -> Bool { entries.contains { $0.load == number } }

    func isLoad(_ request: any Request) -> Bool {
        entries.contains { $0.request === request && $0.load != nil }
    }

    package mutating func begin(own request: any Request) {
        let entry = Entry(request: request, isOwn: true)
        if entries.isEmpty { entries = [entry] } else { entries.append(entry) }  // One allocation, and no growth.
    }

    package mutating func endOwn(_ request: any Request) {
        end(request) { $0.isOwn = false }
    }

    mutating func begin(load number: Resource.State.LoadNumber, _ request: any Request, at time: TimeInterval) {
        if let index = entries.lastIndex(where: { $0.request === request }) {
            (entries[index].load, entries[index].begin) = (number, time)
        } else {
            entries.append(Entry(request: request, isOwn: false, load: number, begin: time))
        }
    }

    /// Notes that a load which waited for a cache asks the network now, with a new number.
    mutating func resume(
        load number: Resource.State.LoadNumber, as new: Resource.State.LoadNumber, at time: TimeInterval
    ) {
        guard let index = entries.firstIndex(where: { $0.load == number }) else { return }
        (entries[index].load, entries[index].begin) = (new, time)
    }

    /// Notes that the result of a load is being set. Returns the monotonic time at which it began, in seconds.
    mutating func willEndLoad(_ request: any Request) -> TimeInterval {
        guard let index = entries.firstIndex(where: { $0.request === request }) else { return .infinity }
        entries[index].isEnding = true
        return entries[index].begin
    }

    mutating func endLoad(_ request: any Request) {
        end(request) { ($0.load, $0.isEnding) = (nil, false) }
    }

    private mutating func end(_ request: any Request, _ change: (inout Entry) -> Void) {
        guard let index = entries.firstIndex(where: { $0.request === request }) else { return }
        change(&entries[index])
        if !entries[index].isOwn, entries[index].load == nil { entries.remove(at: index) }
        if entries.isEmpty { entries = [] }  // Frees the memory.
    }
}
