import SiestaCore

/// The lists of one service.
final class PagedLists: ServiceExtension {
    private struct Known {
        weak var list: AnyObject?
    }

    private var known: [Known] = []
    private var sweepLimit = SweepLimit()

    init(context: ResourceContext) {}

    func add(_ list: AnyObject) {
        known.append(Known(list: list))
        guard sweepLimit.isReached(by: known.count) else { return }
        let living = known.compactMap(\.list)
        known = living.map { Known(list: $0) }
        sweepLimit.noteSweep(leaving: known.count)
    }

    /// The other lists of items of the same type.
    func lists<Item>(besides list: PagedResource<Item>) -> [PagedResource<Item>] {
        known.compactMap { $0.list as? PagedResource<Item> }.filter { $0 !== list }
    }
}
