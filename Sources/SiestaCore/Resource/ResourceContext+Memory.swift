import Foundation

/// The rules by which unused resources leave the memory.
extension ResourceContext {
    /// Drops all unused resources.
    func flushUnused() {
        trimCompletely(to: 0)
    }

    /// Drops some unused resources. Returns false if it stopped at a resource with observers that have lost their
    /// owners.
    ///
    /// Such observers are dismissed first, because they may hold the resources that they observe. All dropped objects
    /// are released after the change of the registry, because their release may run code of the app.
    func trim() -> Bool {
        let trimmed = registry.trim(to: countLimit, standing: \.standing)
        noteDropped(trimmed.dropped)
        guard let unsettled = trimmed.unsettled else { return true }
        _ = unsettled.isObserved
        return false
    }

    /// Drops unused resources until at most `limit` are left, including those whose observers have lost their owners.
    /// Keeps resources that observers create while they are told.
    func trimCompletely(to limit: Int) {
        let known = Set(registry.elements.map { ObjectIdentifier($0) })
        // An observer that is told may release the owner of another observer. The number of rounds is limited because it
        // may also add itself again, with an owner that is released at once.
        for _ in 0..<16 where !settleObservers() { break }
        let trimmed = registry.trimCompletely(to: limit) {
            $0.standing == .unused && known.contains(ObjectIdentifier($0)) ? .unused : .kept
        }
        noteDropped(trimmed.dropped)
    }

    /// Dismisses and tells the observers that have lost their owners. Returns true if it told any observer.
    private func settleObservers() -> Bool {
        var hasToldAny = false
        for resource in registry.elements where resource.settleObservers() { hasToldAny = true }
        return hasToldAny
    }
}
