import Foundation
import HTTPRules

/// The times of past invalidations, by which entities that were stored before them are recognized. Pure.
///
/// The log has a bounded size. If it is full, it forgets the oldest quarter of its entries. Afterwards, all entities that
/// are older than the newest forgotten entry count as invalidated, because one of the forgotten entries may apply.
struct InvalidationLog {
    private enum Key: Hashable {
        case tag(String)
        case group(String, origin: URLOrigin?)
        case path(String)
        case address(String)
        /// A URL, for all resources at it: those whose loads have a body, and the one whose loads have none.
        case location(String)
    }

    fileprivate struct Test {
        let matches: (URL) -> Bool
        let time: TimeInterval
    }

    private var times: [Key: TimeInterval] = [:]
    private var tests: [Test] = []
    /// The time of the newest forgotten entry.
    private var forgotten = -TimeInterval.infinity
    private let limit: Int

    init(limit: Int = 1024) {
        self.limit = limit
    }

    var count: Int { times.count + tests.count }

    /// The entries that a mutation has dropped. Release them after the mutation, because they hold closures of the app.
    struct Dropped {
        fileprivate var tests: [Test] = []
    }

    /// Records an invalidation. `time` is wall time in seconds since the reference date.
    mutating func note(_ target: InvalidationTarget, at time: TimeInterval) -> Dropped {
        for tag in target.tags { times[.tag(tag)] = time }
        for group in target.groups { times[.group(group, origin: target.origin)] = time }
        for path in target.paths { times[.path(path)] = time }
        for address in target.addresses { times[.location(address)] = time }
        if let matches = target.matches { tests.append(Test(matches: matches, time: time)) }
        return forgetOldest()
    }

    /// Records that the data at `address` is outdated, because it was requested before an invalidation.
    mutating func note(address: String, at time: TimeInterval) -> Dropped {
        times[.address(address)] = time
        return forgetOldest()
    }

    /// Returns true if an entity with this timestamp was stored before an invalidation of its data.
    ///
    /// - Parameter tags: the tags of the entity. They are computed only if they are needed.
    func isOutdated(
        _ timestamp: TimeInterval, at address: String, url: URL, tags: @autoclosure () -> Set<String>
    ) -> Bool {
        if timestamp <= forgotten { return true }
        guard count > 0 else { return false }
        func isBefore(_ key: Key) -> Bool { times[key].map { timestamp <= $0 } ?? false }
        if isBefore(.address(address)) || isBefore(.path(InvalidationTarget.path(of: address))) { return true }
        if isBefore(.location(String(address.prefix { $0 != LoadBody.separator }))) { return true }
        if tests.contains(where: { timestamp <= $0.time && $0.matches(url) }) { return true }
        let tags = tags()
        guard !tags.isEmpty else { return false }
        let origin = URLOrigin(text: address)
        return tags.contains { isBefore(.tag($0)) || isBefore(.group($0, origin: origin)) }
    }

    private mutating func forgetOldest() -> Dropped {
        guard count > limit else { return Dropped() }
        let sorted = (times.values + tests.map(\.time)).sorted()
        let bound = sorted[limit / 4]
        forgotten = max(forgotten, bound)
        times = times.filter { $0.value > bound }
        let dropped = Dropped(tests: tests.filter { $0.time <= bound })
        tests = tests.filter { $0.time > bound }
        return dropped
    }
}
