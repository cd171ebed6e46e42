extension Service {
    /// The events that occur in this service after the property is read: decisions about loads, requests with their
    /// causes, changes to resources, uses of caches, and transformations.
    ///
    ///     for await event in service.activity { print(event) }
    ///
    /// Reading this property starts recording events. Recording stops when the sequence is released, or when the task
    /// that reads the sequence is cancelled. If no sequence exists, the service creates no events.
    ///
    /// If a sequence is read too slowly, it keeps the newest 10 000 events and drops the others. A loop then receives
    /// ``ActivityEvent/Kind/missed(_:)`` with the number of dropped events, and continues with the next event. Any
    /// thread may read the sequence. Use one loop at a time for a sequence. If two loops read the sequence at the same
    /// time, each loop receives only some of the events. A later loop continues where the previous loop ended.
    public var activity: some AsyncSequence<ActivityEvent, Never> & Sendable { activity(limit: 10_000) }

    /// Returns the events that occur in this service after the call, and keeps up to `limit` unread events; see
    /// ``activity``.
    ///
    /// - Parameter limit: The maximum number of unread events. A limit below 1 counts as 1.
    public func activity(limit: Int) -> some AsyncSequence<ActivityEvent, Never> & Sendable {
        MainQueue.checkInDebug("Service.activity")
        return context.listen(limit: limit)
    }

    /// Passes the events of this service to the closures of `activity`, from this call until the returned task is
    /// cancelled.
    ///
    /// - Returns: The task that calls the closures. If you discard the task, the export continues until the service is
    ///   released.
    @discardableResult
    public func export(_ activity: ActivityExport) -> Task<Void, Never> {
        let events = self.activity
        return Task.detached { await activity.run(events) }
    }
}
