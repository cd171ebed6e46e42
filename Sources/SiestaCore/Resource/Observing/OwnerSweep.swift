import Foundation

/// An object that does something as long as its owners exist.
@MainActor
package protocol OwnerHolder: AnyObject {
    /// Ends what is done for owners that were released. Returns false if no owner is left.
    func dismissReleasedOwners() -> Bool
}

/// Notices the release of owners while their resources are quiet.
///
/// Swift tells nobody of the release of an object. On Apple platforms, an associated object would be released together
/// with its owner; other platforms have nothing like it. Therefore one timer of a service looks at the owners, as long as
/// there are any. An event costs nothing more.
final class OwnerSweep: ServiceExtension {
    /// The time between two looks, in seconds. It is longer if there are very many holders.
    static let interval: TimeInterval = 1
    private static let holdersPerInterval = 10_000.0

    private struct Holder {
        weak var object: (any OwnerHolder)?
    }

    private let clock: SiestaClock
    private var holders: [ObjectIdentifier: Holder] = [:]
    private var isScheduled = false

    init(context: ResourceContext) {
        clock = context.clock
    }

    /// Begins to look at the owners of a holder, until it has none.
    func watch(_ holder: any OwnerHolder) {
        holders[ObjectIdentifier(holder)] = Holder(object: holder)
        schedule()
    }

    private func schedule() {
        guard !isScheduled, !holders.isEmpty else { return }
        isScheduled = true
        let delay = Self.interval * max(1, Double(holders.count) / Self.holdersPerInterval)
        clock.scheduleReport(after: delay) { [weak self] in self?.sweep() }
    }

    private func sweep() {
        isScheduled = false
        let all = holders.map { (key: $0.key, object: $0.value.object) }
        // A holder tells observers, which may add owners.
        for (key, object) in all where !(object?.dismissReleasedOwners() ?? false) {
            if holders[key]?.object === object { holders[key] = nil }
        }
        schedule()
    }
}

extension ResourceContext {
    /// Notices the release of the owners of a holder soon.
    package func watchOwners(of holder: any OwnerHolder) {
        feature(OwnerSweep.self).watch(holder)
    }
}

extension Resource: OwnerHolder {
    package func dismissReleasedOwners() -> Bool {
        guard let observerList else { return false }
        return context.clock.whileCalling { observerList.dismissReleasedOwners(of: self) }
    }
}
