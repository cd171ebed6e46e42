import HTTPRules

/// The resources of one service by their tags and paths, so that an invalidation need not look at all resources. Pure.
///
/// The first invalidation enters all resources, and each later invalidation those that were looked up since then, which
/// include all new resources. If the rules of the configuration have changed, all resources are entered again.
///
/// The index consists of slots of the registry, and is never corrected. A resource in one of its slots may have been
/// replaced, or may have other data now. Therefore a search returns candidates, which ``InvalidationSearch`` must check.
struct InvalidationIndex: ~Copyable {
    /// The slots of resources with this tag of the configuration, or with this group of their data.
    private var slotsOfTag: [String: Set<Int32>] = [:]
    /// The slots of resources for which closures of the app compute tags.
    private var computing: Set<Int32> = []
    /// The slots of resources whose address is more than a path, as a chain for each path: the newest slot by the hash of
    /// the path, and the older slot by the hash and the newer slot. The older slot of the last one is -1.
    private var newestVariants: [UInt32: Int32] = [:]
    private var olderVariants: [UInt64: Int32] = [:]
    private(set) var count = 0
    private var limit = Int.max
    /// The generation of the rules for which the index was made.
    let generation: Int
    /// A number that no other index has. See ``Resource/invalidationIndex``.
    let number: UInt32

    /// The slots that must be entered before the next search.
    private var pending: [Int32] = []

    /// Creates an empty index.
    init(number: UInt32, generation: Int) {
        (self.number, self.generation) = (number, generation)
    }

    /// True if the index has grown so much since it was made that it must be made again. Servers choose the names of groups.
    var isFull: Bool { count > limit }

    /// True until all resources have been entered once.
    var isNew: Bool { limit == .max }

    /// Notes that all resources have been entered.
    mutating func limitGrowth() { limit = 2 * count + 1024 }

    var hasPending: Bool { !pending.isEmpty }

    mutating func enqueue(_ slots: [Int32]) { pending.append(contentsOf: slots) }

    mutating func nextPending() -> Int32? { pending.popLast() }

    /// Enters a resource under its tags, apart from those that closures of the app compute, and under its path.
    mutating func enter(_ slot: Int32, address: String, tags: [Set<String>], computesTags: Bool) {
        for tags in tags {
            for tag in tags where slotsOfTag[tag, default: []].insert(slot).inserted { count += 1 }
        }
        if computesTags, computing.insert(slot).inserted { count += 1 }
        // A query, a fragment, or the suffix for a body follows the path.
        guard address.utf8.contains(where: { "?# ".utf8.contains($0) }) else { return }
        let hash = Self.hash(InvalidationTarget.path(of: address))
        let key = Self.key(slot, hash)
        guard olderVariants[key] == nil else { return }
        olderVariants[key] = newestVariants.updateValue(slot, forKey: hash) ?? -1
        count += 1
    }

    private static func hash(_ path: String) -> UInt32 { UInt32(truncatingIfNeeded: path.hashValue) }

    private static func key(_ slot: Int32, _ hash: UInt32) -> UInt64 { UInt64(hash) << 32 | UInt64(slot) }

    /// Returns the slots of resources that may belong to a target without a test of URLs, in ascending order.
    ///
    /// - Parameter slotOfAddress: returns the slot of the resource with exactly this address.
    func candidates(_ target: InvalidationTarget, slotOfAddress: (String) -> Int32?) -> [Int32] {
        var found: [Int32] = []
        if target.hasTags {
            for tag in target.tags { if let slots = slotsOfTag[tag] { found.append(contentsOf: slots) } }
            for group in target.groups { if let slots = slotsOfTag[group] { found.append(contentsOf: slots) } }
            if !computing.isEmpty { found.append(contentsOf: computing) }
        }
        for path in target.paths {
            for address in [path, path + "/"] { if let slot = slotOfAddress(address) { found.append(slot) } }
            appendVariants(of: path, to: &found)
        }
        for address in target.addresses {
            if let slot = slotOfAddress(address) { found.append(slot) }
            appendVariants(of: InvalidationTarget.path(of: address), to: &found)
        }
        guard found.count > 1 else { return found }
        found.sort()
        var unique: [Int32] = []
        unique.reserveCapacity(found.count)
        for slot in found where slot != unique.last { unique.append(slot) }
        return unique
    }

    private func appendVariants(of path: String, to found: inout [Int32]) {
        let hash = Self.hash(path)
        var next = newestVariants[hash]
        while let slot = next, slot >= 0 {
            found.append(slot)
            next = olderVariants[Self.key(slot, hash)]
        }
    }
}

extension Dependencies {
    /// Returns the resources that may belong to a target, the oldest slot first.
    ///
    /// Computes configurations, which runs code of the app. This code may cause another invalidation, which enters the
    /// remaining resources itself.
    func candidates(_ target: InvalidationTarget) -> [Resource] {
        guard target.matches == nil else { return context.resources }
        updateIndex()
        let slots = index.candidates(target) { address in
            address.withUTF8Bytes { context.registry.slot(of: $0) }
        }
        let found = slots.isEmpty ? [] : context.registry.elements(in: slots)
        return context.hasRemaining ? found + context.remaining : found
    }

    private func updateIndex() {
        if index.generation != context.rules.generation || index.isFull { resetIndex() }
        let used = context.registry.takeUsedSlots()
        if !used.isEmpty { index.enqueue(used) }
        if index.hasPending { enterPending() }
        if index.isNew { index.limitGrowth() }
    }

    private func enterPending() {
        var provisional: [Int32] = []
        while let slot = index.nextPending() {
            guard let resource = context.registry.elements(in: [slot]).first, resource.invalidationIndex != index.number
            else { continue }
            let resolved = resource.resolvedConfiguration(for: .get)
            guard !resolved.isProvisional else { provisional.append(slot); continue }
            let groups = resource.state.data?.header(forKey: CacheGroups.field).map { CacheGroups.names(in: $0) }
            resource.invalidationIndex = index.number
            let options = resolved.configuration
            index.enter(
                slot, address: resource.address, tags: [options.tags, groups ?? []],
                computesTags: !options.taggers.isEmpty)
        }
        index.enqueue(provisional)
    }
}
