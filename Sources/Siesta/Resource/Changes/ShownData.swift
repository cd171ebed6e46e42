/// The data of a resource with pending changes, as it is shown. A class, so that resources without changes handle one word.
final class ShownData {
    /// The data with the changes; nil if there is neither data nor a change that creates it.
    let entity: Entity<Any>?
    /// A number that no other value of any resource of the service has.
    let number: UInt32
    let changeCount: Int

    init(entity: Entity<Any>?, number: UInt32, changeCount: Int) {
        (self.entity, self.number, self.changeCount) = (entity, number, changeCount)
    }
}

extension Resource {
    /// The data with pending changes.
    var shownData: Entity<Any>? {
        guard state.hasOverlay, let shown = ownShownData else { return state.data }
        return shown.entity
    }

    /// True if there is data, with pending changes.
    var hasShownData: Bool { state.hasOverlay ? shownData != nil : state.hasData }

    /// A number that changes whenever the content of ``shownData`` changes.
    package var contentRevision: UInt64 { revision(with: state.contentRevision) }

    /// A number that changes whenever ``shownData`` changes, including its timestamp.
    var shownDataRevision: UInt64 { revision(with: state.dataRevision) }

    @inline(__always)
    private func revision(with base: UInt32) -> UInt64 {
        guard state.hasOverlay else { return UInt64(base) }
        return UInt64(base) | UInt64(ownShownData?.number ?? 0) << 32
    }

    private var ownShownData: ShownData? { known(Overlay.self)?.published }

    /// The source of ``shownData``.
    var shownSource: DataSource? { isShowingChanges ? .local : state.source }

    /// Prepares an assignment of content that was read, and that contains the edits of all pending changes.
    func willAssignContent() {
        MainQueue.checkInDebug("TypedResource.content")
        context.changes?.overlay(of: self)?.willAssign()
    }

    private var isShowingChanges: Bool { state.hasOverlay && ownShownData != nil }

    /// The changes of this resource that the server has not confirmed yet, in the order in which they were made.
    ///
    /// Observation tracks this property. When a change is added or removed, observers receive `.newData(.localOverride)`,
    /// or the event of the data that has replaced the change.
    public var pendingChanges: [PendingChange] {
        MainQueue.checkInDebug("Resource.pendingChanges")
        track(.latestData, \.latestData)
        return context.changes?.overlay(of: self)?.changes ?? []
    }

    /// True if ``latestData`` contains changes that the server has not confirmed yet.
    ///
    /// Observation tracks this property.
    public var isOptimistic: Bool {
        MainQueue.checkInDebug("Resource.isOptimistic")
        track(.latestData, \.latestData)
        return isShowingChanges
    }
}
