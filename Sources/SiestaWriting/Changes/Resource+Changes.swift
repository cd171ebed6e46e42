import Foundation
import HTTPRules
public import SiestaCore

extension Resource {
    /// The pending changes that edit this resource, in the order in which they were made.
    ///
    /// Observation tracks this property. When a change is added or removed, observers receive
    /// `.newData(.localOverride)`. If a change ends because new data includes it, observers receive the event of the
    /// new data instead.
    public var pendingChanges: [PendingChange] {
        MainQueue.checkInDebug("Resource.pendingChanges")
        track(.latestData, \.latestData)
        return context.changes?.overlay(of: self)?.changes ?? []
    }

    /// True if ``latestData`` contains the edits of pending changes.
    ///
    /// Observation tracks this property.
    public var isOptimistic: Bool {
        MainQueue.checkInDebug("Resource.isOptimistic")
        track(.latestData, \.latestData)
        return state.isOptimistic
    }
}

extension Resource {
    /// Sets the data to the result of a change, also in persistent caches. Responses to loads that began before do not
    /// replace it.
    ///
    /// If freshness follows HTTP, the response to a write says nothing about the freshness of the data, which is stale then
    /// (RFC 9111 §3, §4). Caches store it all the same, unless the response forbids it: an app that starts offline shows it,
    /// as stale data.
    ///
    /// - Parameters:
    ///   - isDoubtful: true if a load has overlapped the change; see ``State/settle(_:from:isDoubtful:at:)``.
    ///   - outputs: see ``storeSettled(_:_:)``.
    ///   - made: the wipe count before code of the app could run. If the resource was wiped since then, nothing changes.
    func settle(
        _ entity: Entity<Any>, from source: DataSource, isDoubtful: Bool, _ outputs: [CacheableOutput]? = nil,
        unlessWipedSince made: WipeCount
    ) {
        let isOfWrite = entity.cachingInfo?.lifetime.isStorable == false
        let isForbidden = isOfWrite && CacheControl(entity.header(forKey: "Cache-Control")).noStore
        let entity = isOfWrite ? entity.withoutCachingInfo : entity
        let now = context.now
        let (read, last) = (stopReadingCache(), state.lastLoad)
        let isWiped = change { state in
            guard !isOutdated(made) else { return true }
            state.settle(entity, from: source, isDoubtful: isDoubtful, at: now)
            if isOfWrite { state.invalidate() }
            return false
        }
        guard !isWiped else {
            read?.finish()
            return
        }
        noteSettlement(after: last)
        if isForbidden {
            removeFromCaches(outdatingLoads: true)
        } else {
            let isStale = isDoubtful || isOfWrite
            storeSettled(
                source == .local || isStale ? entity.storedAsComputed : entity,
                outputs?.map { $0.settled(isStale: isStale) })
        }
        for feature in context.extensions { feature.changeSettled(self, isDoubtful: isDoubtful) }
        read?.finish()
    }

    /// Processes the body of a response to a change as if it were the response to a load. Returns nil if the pipeline does
    /// not accept it.
    func processedAsLoad(
        _ response: Entity<Any>, _ body: Data?
    ) async -> (entity: Entity<Any>, outputs: [CacheableOutput])? {
        guard let body, !body.isEmpty else { return nil }
        let processing = resolvedConfiguration(for: .get).processing
        let received = UncheckedSendable(Response.success(response.withContent(body)))
        let (result, outputs) = await processing.processed(received).value
        guard case .success(let entity) = result else { return nil }
        return (entity, outputs)
    }

    /// Makes edits part of the data. Without data, the edits may create it. The result is computed data; see
    /// ``Entity/storedAsComputed``.
    ///
    /// - Parameters:
    ///   - version: the header fields of the response, which identify the new version; nil if nothing is known of it.
    ///   - isAssigned: true if the data also contains edits already, because the app has assigned it.
    ///   - isDoubtful: true if a load has overlapped the change.
    func settle(by edits: [any ContentEdit], version: HeaderFields?, isAssigned: Bool, isDoubtful: Bool) {
        guard isAssigned || !edits.isEmpty else { return }
        let made = WipeCount.now
        let edited = context.clock.whileCurrent {
            var edited = Entity.edited(state.data, by: edits[...])
            edited?.touch()
            return edited
        }
        context.changes?.overlay(of: self)?.willEditData()
        // There is no data that could be the result. What is being loaded, or is still in a cache, may lack the change.
        guard var edited else { return context.feature(Dependencies.self).invalidate(self) }
        var headers = edited.headers
        for name in Validator.fields { headers[name] = version?[name] }
        edited.headers = headers
        settle(edited, from: .local, isDoubtful: isDoubtful, unlessWipedSince: made)
    }
}

extension ResponseProcessing {
    /// Processes a response off the main actor. The wrappers are sound, because only the caller has the values.
    @concurrent
    fileprivate func processed(
        _ response: UncheckedSendable<Response>
    ) async -> UncheckedSendable<(response: Response, outputs: [CacheableOutput])> {
        UncheckedSendable(process(response.value, hasNoContent: false))
    }
}

extension CacheableOutput {
    /// The same output without caching info. If it is stale, it is stale after the next start, too.
    fileprivate func settled(isStale: Bool) -> CacheableOutput {
        let entity = entity.withoutCachingInfo
        return CacheableOutput(
            stage: stage, entity: isStale ? entity.storedAsComputed : entity, response: response)
    }
}
