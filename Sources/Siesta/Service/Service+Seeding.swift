public import Foundation

extension Service {
    /// Stores an entity as if it had been loaded at the time of its timestamp.
    ///
    /// Use this method for data that the app knows from another source: data that the app is shipped with, a message that
    /// has arrived, or the elements of a list. The data is as fresh as its age says. Observers receive
    /// `.newData(.cache)`, and ``Resource/Snapshot/source`` is ``Resource/DataSource/cache``. To show a value without
    /// storing it, use ``Resource/placeholder``.
    ///
    /// Never replaces data if its timestamp is the same or newer, or if the new timestamp is not a number, neither in
    /// memory nor in a persistent cache. If the persistent caches are being read, the entity is stored after the read.
    /// Later responses replace it. If the resource is wiped before the entity is stored, the entity is not stored.
    ///
    /// - Parameters:
    ///   - entity: The entity with the content that the pipeline would produce. If its timestamp is in the future, the
    ///     data counts as infinitely old.
    ///   - resource: The resource. The caches that store the result of its pipeline store the entity. Caches of earlier
    ///     stages do not, because the library cannot compute their form of the content.
    public final func seed(_ entity: Entity<Any>, for resource: Resource) {
        MainQueue.check("Service.seed(_:for:)")
        resource.seed(entity)
    }

    /// Stores content as if it had been loaded at a given time; see ``seed(_:for:)``.
    ///
    ///     service.seed(User(id: 42, name: "Ada"), for: user, timestamp: message.timestamp)
    ///
    /// - Parameters:
    ///   - content: The content that the pipeline would produce.
    ///   - resource: The resource.
    ///   - timestamp: The time at which the content was current, in seconds since the reference date (1 January 2001).
    ///     The default is the current time.
    public final func seed<Content: Sendable>(
        _ content: Content, for resource: TypedResource<Content>, timestamp: TimeInterval? = nil
    ) {
        MainQueue.check("Service.seed(_:for:timestamp:)")
        let entity = context.clock.whileCurrent {
            Entity<Any>(content: content, headers: ["Content-Type": "application/binary"], timestamp: timestamp)
        }
        resource.resource.seed(entity)
    }
}

extension Resource {
    /// Stores an entity after the read of the persistent caches; see ``Service/seed(_:for:)``.
    func seed(_ entity: Entity<Any>) {
        guard !isInvalid else { return }
        beginReadingCache()
        let (made, revision) = (WipeCount.now, state.contentRevision)
        whenCacheIsRead { [self] in
            let isWiped = !state.hasData && revision != state.contentRevision
            // The timestamp of the data may not be a number.
            let isNewer = state.data.map { !entity.timestamp.isNaN && !($0.timestamp >= entity.timestamp) } ?? true
            guard !isWiped, !isOutdated(made), isNewer, setCachedData(entity) else { return }
            storeInCaches(entity)
            notifyObservers(.newData(.cache))
        }
    }
}
