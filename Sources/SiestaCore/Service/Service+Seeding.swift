public import Foundation
import HTTPRules

extension Service {
    /// Stores an entity as if it had been loaded at the time of its timestamp.
    ///
    /// Use this method for data from other sources, such as data that ships with the app, messages from the server, or
    /// the elements of a list. The age of the data determines whether it is fresh. Observers receive
    /// `.newData(.cache)`, and ``Resource/Snapshot/source`` is ``Resource/DataSource/cache``. To show a value without
    /// storing it, use ``Resource/placeholder``.
    ///
    /// The entity never replaces data with the same or a newer timestamp, in memory or in a persistent cache. If the
    /// timestamp is NaN, the entity replaces no data. If the persistent caches are being read, the entity is stored
    /// after the read. If the resource is wiped before the entity is stored, the entity is not stored.
    ///
    /// The response to a load replaces the entity only if the load began after the entity's timestamp. The response to
    /// a load that began earlier may be older than the entity. Therefore only the hooks of that load receive its
    /// response, and observers receive `.notModified`.
    ///
    /// If an observer or a hook of a load calls this method, the entity counts as part of the load's response. The age
    /// of the entity is then measured from the time at which the load began. If the data of the load came from a cache,
    /// the age is measured from the time of that data. If a task stores parts of a response later, the entity's
    /// timestamp must be the time at which the load began.
    ///
    /// - Parameters:
    ///   - entity: The entity with the content that the pipeline would produce. If its timestamp is in the future, the
    ///     data counts as infinitely old.
    ///   - resource: The resource that gets the entity. The caches that store the result of the resource's pipeline
    ///     also store the entity. Caches of earlier stages do not store the entity, because the library cannot compute
    ///     the output of these stages from the content.
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
    ///   - resource: The resource that gets the content.
    ///   - timestamp: The time at which the content was current, in seconds since the reference date (1 January 2001).
    ///     The default is the current time. In an observer or a hook of a load, the default is the time at which the
    ///     load began, or the time of the data if the load got its data from a cache.
    public final func seed<Content: Sendable>(
        _ content: Content, for resource: TypedResource<Content>, timestamp: TimeInterval? = nil
    ) {
        MainQueue.check("Service.seed(_:for:timestamp:)")
        let now = context.now
        // A part of other data is as old as that.
        let origin = PushOrigin.begin.map { now.wallTime - max(0, now.monotonicTime - $0) }
        let entity = context.clock.whileCalling {
            Entity<Any>(
                content: content, headers: ["Content-Type": "application/binary"], timestamp: timestamp ?? origin)
        }
        resource.resource.seed(entity)
    }
}

extension Resource {
    /// Stores an entity after the read of the persistent caches; see ``Service/seed(_:for:)``.
    func seed(_ entity: Entity<Any>) {
        guard !isInvalid else { return }
        beginReadingCache()
        let (made, revision, shownLoad) = (WipeCount.now, state.contentRevision, state.shownLoad)
        let (order, selection) = (order(ofPushed: entity), selection(of: entity))
        whenCacheIsRead { [self] in
            let isInvalidated = isInvalidated(entity, since: order.time)
            let isSelected = selection == self.selection(of: entity)
            let isWiped = !state.hasData && revision != state.contentRevision
            // A response that has arrived during the read of the caches may belong to a load that began before.
            let isLoadOlder =
                shownLoad < state.shownLoad && state.shownLoad <= order.number && state.source != .local
            let isDeleted = context.known(Dependencies.self)?.isDeleted(self, since: order.time) ?? false
            guard !isWiped, !isDeleted, !isOutdated(made), isSelected,
                isLoadOlder || isNewer(entity, from: order.begin),
                setCachedData(entity, isOutdated: isInvalidated, replacingLoadsUpTo: order.number)
            else { return }
            // If freshness follows HTTP, an invalidation counts after the next start, too, as for responses.
            if !isInvalidated || resolvedConfiguration(for: .get).httpFreshness == nil { storeInCaches(entity) }
            notifyObserversOfCachedData(isPushed: true)
        }
    }

    /// Returns the headers of a load that select an entity by its `Vary`; nil if it does not vary. If they have changed when
    /// the entity could be stored, it belongs to other requests.
    private func selection(of entity: Entity<Any>) -> [String: String]? {
        entity.header(forKey: "Vary").map { VaryField($0).selectingFields(of: HeaderFields(headersOfLoad)) }
    }

    /// Returns true if an invalidation of an entity's data is newer than the entity, which is from this monotonic time.
    func isInvalidated(_ entity: Entity<Any>, since time: TimeInterval) -> Bool {
        // An entity of the same time is newer. A conversion of times is not exact.
        let orderTime = context.orderTime - (context.clock.monotonicTime - time) + 0.000_1
        return context.known(Dependencies.self)?.isOutdated(entity, from: orderTime, of: self) ?? false
    }

    /// Returns true if the data is older than a pushed entity. Timestamps may not be numbers.
    ///
    /// - Parameter begin: the ``PushOrigin/begin`` of the entity.
    private func isNewer(_ entity: Entity<Any>, from begin: TimeInterval?) -> Bool {
        guard let data = state.data else { return true }
        guard !entity.timestamp.isNaN, !(data.timestamp >= entity.timestamp) else { return false }
        guard let begin else { return true }
        let now = context.now
        return !(data.timestamp > now.wallTime - (now.monotonicTime - begin))
    }

    /// Returns the position of an entity that is pushed now: the last load that began before it.
    private func order(
        ofPushed entity: Entity<Any>
    ) -> (number: State.LoadNumber, begin: TimeInterval?, time: TimeInterval) {
        let (now, begin) = (context.now, PushOrigin.begin)
        // Data from the future counts as infinitely old.
        let age = entity.timestamp <= now.wallTime ? now.wallTime - entity.timestamp : .infinity
        let time = min(now.monotonicTime - age, begin ?? .infinity)
        // A load that began at the same time is older than pushed data, and as new as another load.
        let next = running.firstLoad(notBefore: begin == nil ? time.nextUp : time)
        return (next.map { $0 - 1 } ?? state.lastLoad, begin, time)
    }
}
