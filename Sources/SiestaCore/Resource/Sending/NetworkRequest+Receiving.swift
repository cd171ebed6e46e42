import Foundation
import HTTPRules

/// The treatment of responses: each completes the request, or causes another attempt.
extension NetworkRequest {
    /// Receives the response to a load.
    ///
    /// - Parameter cleared: URLs of the servers that ask for their caches to be cleared.
    func receive(_ info: ResponseInfo, _ outputs: [CacheableOutput], _ arrival: Arrival, _ cleared: [URL]) {
        var info = info
        guard let handler = accept(&info, outputs, arrival, cleared) else { return }
        if !handler.willIgnore(info) { store(outputs, of: info) }
        complete(with: &info)
    }

    /// Stores the outputs, unless the request began before the source of the data. Also stores nothing if freshness follows
    /// HTTP and the request began before a write that has made the data stale: nothing in a cache would show that such a
    /// response is outdated. The same applies to a request that is no load, because only loads are noted as outdated, and to
    /// one that performs a load but is not the load itself, because a decorator may have sent it late.
    private func store(_ outputs: [CacheableOutput], of info: ResponseInfo) {
        guard !outputs.isEmpty, resource.state.shownLoad <= lastLoadBefore else { return }
        if !isLoad, let received = info.received, !recipe.isLoad || received.cachingInfo != nil,
            resource.isInvalidated(received, since: exchange.startTime)
        {
            return
        }
        guard !isOutdated(info.received) else { return }
        resource.write(outputs, to: cachePlaces)
    }

    /// True if freshness follows HTTP, and the request began before a write that has made the data stale. Then caches neither
    /// store the response, nor take it for a confirmation.
    private func isOutdated(_ received: Entity<Any>?) -> Bool {
        // The number of a load is `lastLoadBefore + 1`, unless a decorator has sent it late.
        let outdated = resource.state.lastOutdatedLoad
        return outdated > 0 && lastLoadBefore + (recipe.isLoad ? 1 : 0) <= outdated && received?.cachingInfo != nil
    }

    /// Prepares the end of the request with a response. Returns nil if the request does not end with this response, or
    /// has ended with it.
    @inline(__always)
    private func accept(
        _ info: inout ResponseInfo, _ outputs: [CacheableOutput], _ arrival: Arrival, _ cleared: [URL]
    ) -> LiveRequest? {
        guard let handler else { return nil }
        if case .failure(let error) = info.response { info.response = .failure(prepare().error(error)) }
        guard exchange.accepts(&info, arrival, applying: { apply(&$0, clearing: cleared) }) else { return nil }
        guard info.isNew else {
            receiveUnchanged(&info, outputs, handler)
            return nil
        }
        return handler
    }

    /// Applies the rules of HTTP that concern more than the data. If an error names a lifetime, it holds back further loads
    /// as long.
    private func apply(_ info: inout ResponseInfo, clearing cleared: [URL]) {
        guard asked != nil else { return }
        for server in cleared { resource.clearCaches(of: server) }
        guard case .failure(var error) = info.response else { return }
        error.holdBack(beyond: resource.resolvedConfiguration(for: .get).configuration.retryTime)
        info.response = .failure(error)
    }

    /// Receives the response to a request that is not a load. Keeps the body of a success, so that the app can decode it.
    /// Loads keep no body: several tasks share them, and a 304 has none.
    func receive(
        _ info: ResponseInfo, _ outputs: [CacheableOutput], _ body: Data, _ arrival: Arrival, _ cleared: [URL],
        _ redirects: NetworkResponse.FollowedRedirects?
    ) {
        var info = info
        if case .success = info.response, info.isNew {
            let request = prepare()
            info.body = ReceivedBody(
                data: body, decoder: request.resolved.configuration.decoding, url: request.url,
                method: request.method, clock: request.clock)
        }
        guard let handler = accept(&info, outputs, arrival, cleared) else { return }
        let isRefusalUncertain = exchange.mayHaveHadEffect
        change?.isRefusalUncertain = isRefusalUncertain
        if !handler.willIgnore(info) {
            store(outputs, of: info)
            if let prepared {
                resource.noteWrite(
                    prepared, info, by: handler, for: change, isRefusalUncertain: isRefusalUncertain,
                    after: redirects)
                if prepared.method == "HEAD", info.received?.cachingInfo != nil { return completeHead(prepared, info) }
            }
        }
        complete(with: &info)
    }

    /// Updates the data that the response to a HEAD request describes, in memory or in a cache, and completes the request.
    private func completeHead(_ request: PreparedRequest, _ info: ResponseInfo) {
        resource.beginReadingCache()
        resource.whenCacheIsRead {
            self.resource.noteHead(request, info, after: self.lastLoadBefore)
            self.complete(info)
        }
    }

    /// Handles the end of a request that was sent, and whose response is not awaited any longer.
    func noteLostWrite(by handler: LiveRequest?) {
        guard exchange.mayHaveHadEffect, !recipe.isLoad, let prepared else { return }
        resource.noteWrite(prepared, nil, by: handler, for: change)
    }

    package func exchangeEnded(with info: ResponseInfo) {
        // The outcome may be the refusal of the last attempt, after which the request has waited for another one.
        change?.isRefusalUncertain = exchange.mayHaveHadEffect
        noteLostWrite(by: handler)
        complete(info)
    }

    /// Receives a response that was compared with the data, and notes of which resource, and which configuration has
    /// processed it.
    func receiveCompared(
        _ info: ResponseInfo, _ outputs: [CacheableOutput], _ arrival: Arrival, _ cleared: [URL]
    ) {
        var info = info
        if var comparison = info.comparison {
            (comparison.configuration, comparison.resource) = (prepare().resolved, resource)
            info.comparison = comparison
        }
        receive(info, outputs, arrival, cleared)
    }

    /// Handles a response without new content: a 304, or a response with the same content as the current data.
    private func receiveUnchanged(
        _ info: inout ResponseInfo, _ outputs: [CacheableOutput], _ handler: LiveRequest
    ) {
        guard let revision = info.unchangedRevision else { return receiveNotModified(prepare(), &info) }
        // Code of the app, or another load, may have replaced the data while the request was running.
        let isReplaced = revision != resource.state.contentRevision
        if !outputs.isEmpty {
            if !handler.willIgnore(info) { store(outputs, of: info) }
        } else if !isReplaced, !cachePlaces.isEmpty, let data = resource.state.data,
            case .success(let entity) = info.response, !isOutdated(entity)
        {
            let headers = NotModified.differences(of: entity.headerFields, from: data.headerFields)
            resource.confirm(data.validator, updating: headers, entity.cachingInfo, in: cachePlaces)
        }
        if isReplaced {
            info.isNew = true
            if outputs.isEmpty, !handler.willIgnore(info) { storeResult(info) }
        }
        complete(with: &info)
    }

    /// Stores the content of a response that has not passed the pipeline, because it seemed to be the content of the data. It
    /// is the output of the last stages.
    private func storeResult(_ info: ResponseInfo) {
        guard !cachePlaces.isEmpty, case .success(let entity) = info.response else { return }
        let processing = prepare().resolved.processing
        let places = cachePlaces.filter { processing.isResult(of: $0.stage) }
        store(
            places.map { CacheableOutput(stage: $0.stage, entity: entity, response: entity.headerFields) }, of: info)
    }

    /// Handles a 304: the version in the request's condition is current. The resource may have another version in the
    /// meantime.
    private func receiveNotModified(_ request: PreparedRequest, _ info: inout ResponseInfo) {
        let data = resource.state.data
        switch step(for: info, request) {
        case .confirm:
            if let data { confirm(data, by: &info) }
        case .keep:
            if let data { complete(.unconfirmed(data)) }
        case .askAgain: sendUnconditionally()
        case .fail:
            complete(ResponseInfo(response: .failure(request.noLocalDataError)))
        }
    }

    /// Returns the step after a 304. A 304 that names another version confirms nothing. If the freshness of the
    /// resource follows HTTP, all of its validators count (RFC 9111 §4.3.4).
    private func step(for info: ResponseInfo, _ request: PreparedRequest) -> NotModified.Step {
        var rules = notModified(request)
        if let data = resource.state.data, case .success(let received) = info.response {
            let (stored, response) = (data.headerFields, received.headerFields)
            rules.isOther =
                received.cachingInfo == nil
                ? StoredFields.isOtherVersion(stored, by304: response)
                : StoredFields.selection(of: stored, by304: response) == .mismatch
        }
        return rules.step
    }

    /// Completes the request with the data that the server has confirmed, and updates its headers.
    private func confirm(_ data: Entity<Any>, by info: inout ResponseInfo) {
        // A request that was passed to `load(using:)` confirms the data in memory, and therefore also in the caches.
        let updatesCaches = !cachePlaces.isEmpty && (recipe.isLoad || isLoad)
        if case .success(let received) = info.response, let confirmed = resource.confirmed(data, by: received) {
            if updatesCaches, !isOutdated(received) {
                let headers = NotModified.allDifferences(of: confirmed.headerFields, from: data.headerFields)
                resource.confirm(data.validator, updating: headers, confirmed.cachingInfo, in: cachePlaces)
            }
            return complete(.confirmed(confirmed))
        }
        let updates = info.hasNewHeaders ? NotModified.updates(of: data.headerFields, by: info.headerFields) : [:]
        if updatesCaches {
            resource.confirm(data.validator, updating: updates, in: cachePlaces)
        }
        guard !updates.isEmpty else { return complete(ResponseInfo(response: .success(data), isNew: false)) }
        var updated = data
        updated.headerFields = data.headerFields.setting(updates)
        complete(.confirmed(updated))
    }

    private func notModified(_ request: PreparedRequest) -> NotModified {
        let state = resource.state
        return NotModified(
            source: state.source, current: state.data?.validator, asked: request.condition,
            isLoad: recipe.isLoad || isLoad,
            isUnchanged: resource.state.dataRevision == revisionBefore && request.asksForAll,
            // If this request is a load, its own number is `lastLoadBefore + 1`.
            isSuperseded: state.shownLoad &- lastLoadBefore > 1,
            isSecond: isSecond,
            isSafe: request.isSafe && recipe.makeBody == nil)
    }

    /// True if the request is a load of its resource.
    var isLoad: Bool {
        handler.map { resource.running.isLoad($0) } ?? false
    }
}
