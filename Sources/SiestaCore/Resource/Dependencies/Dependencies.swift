import Foundation
import HTTPRules

/// The load of a resource that an invalidation has caused.
final class DependentLoad: ResourceExtension {
    fileprivate struct Reload {
        /// The turn of the main queue in which the load began.
        let turn: Int
        /// The position in a chain of the load that must follow this one; nil if none must follow.
        var next: Int?
    }

    /// The load in flight; nil without one.
    fileprivate var reload: Reload?
}

/// The invalidations of the dependent data of one service.
///
/// An invalidation finds resources by their tags and addresses in an ``InvalidationIndex``. It takes time proportional to
/// the number of resources that it finds, and of those that were looked up since the last one. It also calls the app's
/// closures for the tags of entities, once for each resource with data for which there is such a closure. If it has a test
/// of URLs, it tests all resources.
package final class Dependencies: ServiceExtension {
    /// The number of reloads after which a chain ends in which the observers of a reload cause the next reload.
    private static let chainLimit = 8

    unowned let context: ResourceContext
    private var log = InvalidationLog()
    /// No access runs code of the app, so that accesses never overlap: their exclusivity is not checked.
    @exclusivity(unchecked) var index: InvalidationIndex
    private static var lastIndexNumber: UInt32 = 0
    /// The loads that began before an invalidation. The entities that they write to caches are outdated.
    private var outdatedLoads: Set<ObjectIdentifier> = []
    /// The monotonic times at which changes have deleted resources, in seconds, by address.
    private var deletions: [String: TimeInterval] = [:]
    private static let deletionLimit = 1024
    /// The time of the newest deletion that was dropped from ``deletions``. Data requested earlier may belong to a
    /// resource deleted since.
    private var forgottenDeletions = -TimeInterval.infinity
    private var turn = 0
    private var isTurnOpen = false
    /// The position of the current reload in a chain, while its observers are told of its end; 0 otherwise.
    private var position = 0

    package init(context: ResourceContext) {
        self.context = context
        index = InvalidationIndex(number: 0, generation: -1)
    }

    /// Makes the resources of `target` stale. If `isCertain` is true, loads those that are observed, apart from a resource
    /// that was deleted: the load would fail.
    ///
    /// All resources are stale before any observer is told of a load.
    ///
    /// - Parameters:
    ///   - write: a request; resources whose newest load uses its response are left out, unless this load fails.
    ///   - settled: a resource whose data is the response to a write; it is left out.
    package func invalidate(
        _ target: InvalidationTarget, leavingOut write: (any Request)? = nil, settled: Resource? = nil,
        isCertain: Bool = true
    ) {
        guard !target.isEmpty else { return }
        beginTurn()
        let dropped = log.note(target, at: context.orderTime)
        var affected: [Resource] = []
        for resource in resources(in: target) where resource !== settled {
            if let write, resource.state.isLoading, let load = resource.newestLoad(by: write) {
                invalidate(resource, ifFailed: load, isCertain: isCertain, isDeleted: target.isDeleted(resource))
                continue
            }
            affected.append(resource)
        }
        for resource in affected where resource.known(DependentLoad.self)?.reload?.turn != turn { makeStale(resource) }
        if isCertain {
            for resource in affected where resource.isObserved && !target.isDeleted(resource) {
                reload(resource, position + 1)
            }
        }
        extendLifetime(dropped)
    }

    /// Makes a resource stale if the load that uses the response to a write fails: its data then lacks the change.
    private func invalidate(_ resource: Resource, ifFailed load: any Request, isCertain: Bool, isDeleted: Bool) {
        load.onCompletion { [self] info in
            if case .success = info.response, !info.isRedirect { return }
            invalidate(resource, isCertain: isCertain)
            // After a cancellation, the resource may be about to be wiped.
            guard isCertain, !isDeleted, !info.response.isCancellation, resource.isObserved else { return }
            reload(resource, position + 1)
        } whileWanted: {
            false
        }
    }

    /// Makes a resource stale, also the data that is being loaded, or that is still in a cache: it may lack a change.
    ///
    /// - Parameter isCertain: true if the server has carried out the change. Then a load that the change has caused in this
    ///   turn contains it.
    package func invalidate(_ resource: Resource, isCertain: Bool = false) {
        if isCertain {
            beginTurn()
            guard resource.known(DependentLoad.self)?.reload?.turn != turn else { return }
        }
        extendLifetime(log.note(address: resource.address, at: context.orderTime))
        makeStale(resource)
    }

    /// Returns true if an entity is older than an invalidation of its data.
    ///
    /// - Parameter time: the wall time of the entity; nil for that at which it was stored. An entity that was stored in the
    ///   future is from before the wall clock was set back. Its time does not show the order, so it counts as older.
    func isOutdated(_ entity: Entity<Any>, from time: TimeInterval? = nil, of resource: Resource) -> Bool {
        let stored = entity.timestamp <= context.clock.wallTime ? entity.timestamp : -.greatestFiniteMagnitude
        return log.isOutdated(
            time ?? stored, at: resource.address, url: resource.url, tags: resource.tags(of: entity))
    }

    /// Empties the index, so that the next invalidation enters all resources.
    func resetIndex() {
        Self.lastIndexNumber += 1
        index = InvalidationIndex(number: Self.lastIndexNumber, generation: context.rules.generation)
        context.registry.removeMark(.index)
    }

    /// Notes that a resource has new data. If the data belongs to groups (RFC 9875), the next invalidation enters the
    /// resource again.
    func noteData(of resource: Resource) {
        guard resource.invalidationIndex != 0, resource.dataHasField(CacheGroups.field) else { return }
        resource.invalidationIndex = 0
        if let slot = resource.address.withUTF8Bytes({ context.registry.slot(of: $0) }) { index.enqueue([slot]) }
    }

    // MARK: Deletions

    /// Notes that a change has deleted a resource, so that older data does not bring it back.
    package func noteDeletion(of resource: Resource) {
        deletions[resource.address] = context.clock.monotonicTime
        guard deletions.count > Self.deletionLimit else { return }
        let median = deletions.values.sorted()[deletions.count / 2]
        forgottenDeletions = median
        deletions = deletions.filter { $0.value > median }
    }

    /// Returns true if a change has deleted the resource since a monotonic time, in seconds, or if the record of the
    /// deletion may have been dropped.
    func isDeleted(_ resource: Resource, since time: TimeInterval) -> Bool {
        time < deletions[resource.address] ?? forgottenDeletions
    }

    // MARK: Making resources stale

    private func resources(in target: InvalidationTarget) -> [Resource] {
        context.clock.whileCalling {
            let candidates = candidates(target)
            guard !candidates.isEmpty else { return [] }
            var search = InvalidationSearch(target)
            var found: [Resource] = []
            for resource in candidates where search.includes(resource) { found.append(resource) }
            return found
        }
    }

    private func makeStale(_ resource: Resource) {
        let isLoading = resource.state.isLoading
        let waiting = isLoading ? resource.firstWaitingLoad : nil
        for request in isLoading ? resource.running.loads(before: waiting ?? .max) : [] {
            let key = ObjectIdentifier(request)
            guard outdatedLoads.insert(key).inserted else { continue }
            request.onCompletion { [self] _ in
                outdatedLoads.remove(key)
                extendLifetime(log.note(address: resource.address, at: context.orderTime))
            } whileWanted: {
                false
            }
        }
        guard isLoading || resource.state.hasData || resource.state.error != nil else { return }
        SiestaLog.log(.staleness, [resource, "is stale because other data has changed"])
        resource.record(.invalidated(byDependency: true))
        resource.change { $0.invalidateWithLoads(before: waiting) }
        resource.observerList?.deliverSilentChange(of: resource)
    }

    // MARK: Loading

    /// Loads a resource. If a load that an earlier invalidation has caused is in flight, another load follows it.
    private func reload(_ resource: Resource, _ position: Int) {
        // A load that waits for a cache asks the network later, because what it finds in the cache is outdated.
        guard resource.firstWaitingLoad == nil else { return }
        let load = resource.extended(with: DependentLoad())
        if let reload = load.reload {
            if reload.turn != turn { load.reload?.next = min(reload.next ?? position, position) }
            return
        }
        guard position <= Self.chainLimit else {
            return SiestaLog.log(
                .staleness, [resource, "is not loaded: its observers invalidate it again after each load"])
        }
        load.reload = .init(turn: turn)
        _ = resource.noting(.dependency) { begin(reloadOf: resource, position) }
    }

    private func begin(reloadOf resource: Resource, _ position: Int) -> any Request {
        let request = LiveRequest.whileStartingLoad { resource.loadRequest() }
        var outer = 0
        request.onCompletion { [self] _ in
            outer = exchange(&self.position, with: position)
        } whileWanted: {
            false
        }
        resource.begin(load: request, keeping: nil)
        request.onCompletion { [self] info in
            self.position = outer
            reloadEnded(resource, isCancelled: info.response.isCancellation)
        } whileWanted: {
            false
        }
        return request
    }

    /// Begins the following load, if there must be one. None follows a cancellation, because the resource may be about to
    /// be wiped, nor a wipe, because it ends the invalidation.
    private func reloadEnded(_ resource: Resource, isCancelled: Bool) {
        guard let next = resource.known(DependentLoad.self)?.reload.take()?.next, !isCancelled else { return }
        if resource.state.isInvalidated, resource.isObserved { reload(resource, next) }
    }

    /// Begins a turn of the main queue, in which each resource is loaded at most once.
    ///
    /// It ends when the main queue has run the blocks that are in the queue now. Responses that have already arrived are
    /// among these blocks. The server sent these responses before it received a load that begins now.
    private func beginTurn() {
        guard !isTurnOpen else { return }
        isTurnOpen = true
        turn += 1
        MainQueue.async { [self] in isTurnOpen = false }
    }
}

extension Resource {
    /// The first load that has not begun, because it waits for a cache, and whose response can make the data current. The
    /// response does not count if newer data has arrived, or if the load is outdated already.
    fileprivate var firstWaitingLoad: State.LoadNumber? {
        guard running.hasWaitingLoad else { return nil }
        return running.firstWaitingLoad(after: max(state.shownLoad, state.lastOutdatedLoad))
    }

    /// Returns the newest load if it is `request`, or waits for its response. Returns nil if the load has ended, for example
    /// because it is being cancelled, or if newer data has arrived: this data may lack what the request has written.
    fileprivate func newestLoad(by request: any Request) -> (any Request)? {
        guard let load = running.firstLoad(after: state.lastLoad - 1), load.state != .completed,
            load.isBased(on: request)
        else { return nil }
        return load
    }
}

extension Request {
    /// True if this request is `other`, or waits for its response.
    @MainActor
    fileprivate func isBased(on other: any Request) -> Bool {
        if self === other { return true }
        guard let self = self.live, let other = other.live else { return false }
        return self.queue(to: other) != nil
    }
}

extension Resource {
    /// The tags of this resource, which come from its configuration, from its content, and from the `Cache-Groups`
    /// header of its data (RFC 9875). See ``Configuration/tags``.
    ///
    /// Reading this property does not start a read of the persistent caches.
    public var tags: Set<String> {
        MainQueue.checkInDebug("Resource.tags")
        return tags(of: state.data)
    }

    func tags(of entity: Entity<Any>?) -> Set<String> {
        let tags = resolvedConfiguration(for: .get).configuration.tags
        return entity.map { tags.union(computedTags(of: $0)) } ?? tags
    }

    /// Returns the tags of an entity that do not come from the rules alone.
    func computedTags(of entity: Entity<Any>) -> Set<String> {
        var tags = entity.header(forKey: CacheGroups.field).map { CacheGroups.names(in: $0) } ?? []
        for compute in resolvedConfiguration(for: .get).configuration.taggers {
            tags.formUnion(context.clock.whileCalling { compute(entity) })
        }
        return tags
    }

    /// Invalidates the data that depends on a write of this resource. Do not call it for loads, which may have the method
    /// POST; see ``LoadBody``.
    ///
    /// - Parameters:
    ///   - request: the write as it was sent; ignored if its method is safe.
    ///   - info: the response; nil if there will be none.
    ///   - handler: the request of the app.
    ///   - change: the change that the request sends; nil if there is none.
    ///   - isRefusalUncertain: true if the server may have carried out the write although the response is no success: the
    ///     response was lost, an earlier attempt may have reached the server, or redirects have led to a request with another
    ///     method, which was refused. If it is false, and the response has no status, the write was not sent.
    ///   - redirects: the redirects that led to the request which was answered; nil without redirects.
    package func noteWrite(
        _ request: PreparedRequest, _ info: ResponseInfo?, by handler: (any RequestCompletionHandler)?,
        for change: (any SentChange)? = nil, isRefusalUncertain: Bool = false,
        after redirects: NetworkResponse.FollowedRedirects? = nil
    ) {
        guard !request.isSafe else { return }
        let isDeleted = change?.isDeletion == true && info?.isOfMissingResource ?? false
        // A closure for `map` would check its isolation each time.
        var outcome: WriteOutcome = if isDeleted { .done } else if let info { WriteOutcome(info) } else { .unknown }
        if outcome == .refused, isRefusalUncertain { outcome = .unknown }
        guard outcome != .refused else { return }
        if info != nil, outcome == .unknown, !isRefusalUncertain { return }  // It was not sent.
        let response = outcome == .done ? info?.response : nil
        let target = invalidationTarget(of: request, response, redirects)
        guard !target.isEmpty else { return }
        if let change, change.delays(target, isCertain: outcome == .done) { return }
        context.feature(Dependencies.self).invalidate(target, leavingOut: handler?.live, isCertain: outcome == .done)
    }

    /// - Parameter response: the response; nil if it is unknown whether the server has carried out the write.
    private func invalidationTarget(
        of request: PreparedRequest, _ response: Response?, _ redirects: NetworkResponse.FollowedRedirects?
    ) -> InvalidationTarget {
        var target = InvalidationTarget()
        var entity: Entity<Any>?
        var received: Entity<Any>?
        switch response {
        case .success(let success): (entity, received) = (success, success)
        case .failure(let error): received = error.entity  // The pipeline did not accept it.
        case nil: break
        }
        let fields = received?.headerFields
        // The field of the last write that has it. It concerns only the server that has sent it (RFC 9875 §3).
        forEachWrite(request, fields, isDone: response != nil, redirects) { _, url, fields in
            guard let field = fields?[CacheGroups.invalidationField] else { return }
            (target.groups, target.origin) = (CacheGroups.names(in: field), URLOrigin(url))
        }
        target.addresses = addressesMadeStale(by: request, fields, isDone: response != nil, redirects)
        if response != nil {
            if request.method == "DELETE" {
                var addresses = [request.address]
                if let last = redirects?.last, last.method == "DELETE" {
                    addresses.append(context.resource(absoluteURL: last.url, source: last.url).address)
                }
                target.deleted = Set(addresses.map { $0.contains("?") ? $0 : InvalidationTarget.path(of: $0) })
            }
        }
        let configuration = request.resolved.configuration
        var invalidations = configuration.invalidates
        context.clock.whileCalling {
            for compute in configuration.invalidators { invalidations.formUnion(compute(self, entity)) }
        }
        for invalidation in invalidations {
            target.insert(invalidation, writtenTo: request.address, method: request.method)
        }
        return target
    }

    /// Calls `body` for a write, and for the writes to which it was redirected, in order, if a server has answered them with a
    /// success or a redirect. What follows after a redirect to a safe request, such as a 303, says nothing about the write
    /// (RFC 9110 §15.4.4).
    ///
    /// - Parameters:
    ///   - fields: the fields of the last response, as far as they are known.
    ///   - isDone: true if the last response is a success.
    ///   - body: receives the method and the URL of a write, and the fields of its response.
    private func forEachWrite(
        _ request: PreparedRequest, _ fields: HeaderFields?, isDone: Bool,
        _ redirects: NetworkResponse.FollowedRedirects?, _ body: (String, URL, HeaderFields?) -> Void
    ) {
        guard let redirects else {
            if isDone, let url = request.url { body(request.method, url, fields) }
            return
        }
        for (index, redirected) in redirects.redirected.enumerated() where !HTTPMethods.isSafe(redirected.method) {
            // The URL that was sent may have a credential in its query.
            let url = index == 0 ? request.url ?? redirected.url : redirected.url
            body(redirected.method, url, redirected.fields)
        }
        let last = redirects.last
        if isDone, !HTTPMethods.isSafe(last.method) { body(last.method, last.url, fields) }
    }

    /// Returns the addresses whose stored responses are outdated after a write, and removes their entries from the persistent
    /// caches (RFC 9111 §4.4). Empty if freshness does not follow HTTP. The parameters are those of `forEachWrite`.
    private func addressesMadeStale(
        by request: PreparedRequest, _ fields: HeaderFields?, isDone: Bool,
        _ redirects: NetworkResponse.FollowedRedirects?
    ) -> Set<String> {
        guard context.followsHTTP, resolvedConfiguration(for: .get).httpFreshness != nil else { return [] }
        var targets: [URL] = []
        forEachWrite(request, fields, isDone: isDone, redirects) { method, url, fields in
            // The fields are relative to the URL whose response has them (RFC 9110 §10.2.2).
            let new = CacheInvalidation.targets(
                method: method, status: 200, url: url, location: fields?.reference("location"),
                contentLocation: fields?.reference("content-location"))
            targets += new.filter { !targets.contains($0) }
        }
        guard !targets.isEmpty else { return [] }
        let resources = targets.map { context.resource(absoluteURL: $0, source: $0) }
        let locations = Set(resources.map(\.location))
        // A body is a part of the address, but not of the URL that is outdated.
        let candidates = context.feature(Dependencies.self).candidates(InvalidationTarget(addresses: locations))
        let bodied = candidates.filter { $0.isPeculiar && locations.contains($0.location) }
        for resource in resources + bodied { resource.removeFromCaches() }
        return locations
    }
}
