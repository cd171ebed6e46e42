import Foundation
import HTTPRules

/// The use of responses by the rules of HTTP caching.
extension Resource {
    /// Returns the facts about a request that decide about its response; nil if freshness does not follow HTTP.
    func asked(by request: PreparedRequest) -> HTTPFreshness.Asked? {
        guard context.followsHTTP, let http = resolvedConfiguration(for: .get).httpFreshness else { return nil }
        return HTTPFreshness.Asked(
            http: http, method: request.isLoadWithBody ? "GET" : request.method, url: request.url,
            headers: sentHeaders(request.headers),
            configuration: request.isMutated ? .max : request.resolved.number, time: context.clock.monotonicTime)
    }

    /// The modification date of the server's data for a condition beside its entity tag, for servers that know only dates
    /// (RFC 9111 §4.3.1); nil if there is none.
    var secondCondition: String? {
        guard let date = state.serverData?.headerFields["last-modified"], Validator.isSendable(date) else { return nil }
        return date
    }

    /// Returns the data with the header fields and the lifetime that follow from a 304 (RFC 9111 §4.3.4); nil if freshness
    /// does not follow HTTP.
    func confirmed(_ data: Entity<Any>, by received: Entity<Any>) -> Entity<Any>? {
        guard let http = resolvedConfiguration(for: .get).httpFreshness, let confirmation = received.exchange else {
            return nil
        }
        let fields = updated(data.headerFields, by: received.headerFields)
        var confirmed = data
        confirmed.headerFields = fields
        confirmed.setExchange(http.exchange(confirming: data, fields, by: confirmation))
        return confirmed
    }

    /// Returns the stored fields after an update. The validator in the condition of the request stays, because it names the
    /// version that was confirmed.
    private func updated(_ stored: HeaderFields, by response: HeaderFields) -> HeaderFields {
        let (old, new) = (stored.dictionary, response.dictionary)
        var fields = StoredFields.updated(old, by: new)
        fields["etag"] = old["etag"]
        if old["etag"] == nil { fields["last-modified"] = old["last-modified"] }
        return HeaderFields(fields)
    }

    /// Uses the response to a HEAD request: it updates the header fields of the data if it describes the same version, and
    /// makes the data stale otherwise (RFC 9111 §4.3.5).
    ///
    /// If the data was invalidated or loaded since the request began, the response may be older, and has no effect.
    ///
    /// - Parameter lastLoad: the newest load when the request began.
    func noteHead(_ request: PreparedRequest, _ info: ResponseInfo, after lastLoad: State.LoadNumber) {
        guard case .success(let received) = info.response, received.exchange != nil, request.url == url,
            info.status == 200, let data = state.serverData, !state.freshness.hasOutdatedData,
            state.shownLoad <= lastLoad,
            data.exchange?.variant?.selects(HeaderFields(sentHeaders(request.headers))) ?? true
        else { return }
        guard StoredFields.isConfirmed(data.headerFields, byHead: received.headerFields) else {
            change { $0.invalidate() }
            observerList?.deliverSilentChange(of: self)
            return removeFromCaches()
        }
        guard let confirmed = confirmed(data, by: received) else { return }
        let now = context.now
        change { $0.confirm(confirmed, at: now) }
        observerList?.deliverSilentChange(of: self)
        let places = cachePlacesOfLoad
        let headers = NotModified.allDifferences(of: confirmed.headerFields, from: data.headerFields)
        confirm(data.validator, updating: headers, confirmed.exchange, in: places)
    }
}

extension Resource {
    /// Clears the caches of a server that has asked for that with `Clear-Site-Data`: removes the entries from persistent
    /// caches, and makes data and errors in memory stale.
    func clearCaches(of server: URL) {
        let origin = URLOrigin(server)
        for storage in context.storages { storage.storage?.removeAll(ofOrigin: origin) }
        for resource in context.resources where URLOrigin(text: resource.address) == origin {
            guard resource.state.hasData || resource.state.error != nil else { continue }
            resource.change { $0.invalidate() }
            resource.observerList?.deliverSilentChange(of: resource)
        }
    }
}

extension RequestError {
    /// Makes the error hold back further loads for the lifetime of its response, if the response names one and it is longer
    /// than `retryTime`.
    ///
    /// The time is a millisecond shorter than the lifetime, because a response is no longer fresh when its lifetime is over
    /// (RFC 9111 §4.2).
    mutating func holdBack(beyond retryTime: TimeInterval) {
        guard let lifetime = entity?.exchange?.lifetime, lifetime.holdsLoadsBack else { return }
        additionalRetryTime = max(additionalRetryTime, lifetime.initialFreshness - 0.001 - max(0, retryTime))
    }
}

extension ResponseInfo {
    /// True for a success whose lifetime follows from the rules of HTTP.
    var followsHTTP: Bool {
        if case .success(let entity) = response { entity.exchange != nil } else { false }
    }

    /// Returns the same response without a lifetime by the rules of HTTP.
    func withoutExchange() -> ResponseInfo {
        guard case .success(let entity) = response else { return self }
        var info = self
        info.response = .success(entity.withoutExchange)
        return info
    }
}
