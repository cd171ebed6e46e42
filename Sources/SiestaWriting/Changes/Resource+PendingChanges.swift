public import SiestaCore

extension Resource {
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
        return state.isOptimistic
    }
}
