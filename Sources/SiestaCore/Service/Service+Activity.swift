extension Service {
    /// The events of this service from now on: decisions about loads, requests with their causes, changes of resources,
    /// uses of caches, transformations.
    ///
    ///     for await event in service.activity { print(event) }
    ///
    /// Reading this property starts to listen, until the sequence is released or the task that reads it is cancelled. A
    /// sequence keeps the newest 10 000 events for its reader; see ``ActivityEvents``. Without listeners, no events are
    /// made.
    public var activity: ActivityEvents { activity(limit: 10_000) }

    /// Returns the events of this service from now on; see ``activity``.
    ///
    /// - Parameter limit: The number of events that the sequence keeps for a slow reader. A limit below 1 counts as 1.
    public func activity(limit: Int) -> ActivityEvents {
        MainQueue.checkInDebug("Service.activity")
        return context.listen(limit: limit)
    }

    /// Exports the events of this service from now on, until the returned task is cancelled.
    ///
    /// - Returns: The task that calls the closures. If it is released, the export continues until the service is
    ///   released.
    @discardableResult
    public func export(_ activity: ActivityExport) -> Task<Void, Never> {
        let events = self.activity
        return Task.detached { await activity.run(events) }
    }
}
