import Foundation
import HTTPRules

/// The confirmation of data by a 304 or by the response to a HEAD request.
extension Resource {
    /// The modification date of the server's data for a condition beside its entity tag, for servers that know only dates
    /// (RFC 9111 §4.3.1); nil if there is none.
    var secondCondition: String? {
        guard let date = state.serverData?.headerFields["last-modified"], Validator.isSendable(date) else { return nil }
        return date
    }

    /// Returns the data with the header fields and the lifetime that follow from a 304 (RFC 9111 §4.3.4); nil if freshness
    /// does not follow HTTP.
    func confirmed(_ data: Entity<Any>, by received: Entity<Any>) -> Entity<Any>? {
        guard let http = resolvedConfiguration(for: .get).httpFreshness, let confirmation = received.cachingInfo else {
            return nil
        }
        let fields = updated(data.headerFields, by: received.headerFields)
        var confirmed = data
        confirmed.headerFields = fields
        confirmed.setCachingInfo(http.cachingInfo(confirming: data, fields, by: confirmation))
        return confirmed
    }

    /// Returns the stored fields after an update. The validator in the condition of the request stays, because it names the
    /// version that was confirmed.
    private func updated(_ stored: HeaderFields, by response: HeaderFields) -> HeaderFields {
        let old = stored.dictionary
        var fields = StoredFields.updated(old, by: response.dictionary)
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
        guard case .success(let received) = info.response, received.cachingInfo != nil, request.url == url,
            info.status == 200, let data = state.serverData, !state.freshness.hasOutdatedData,
            state.shownLoad <= lastLoad,
            data.cachingInfo?.variant?.selects(HeaderFields(sentHeaders(request.headers))) ?? true
        else { return }
        let revision = state.contentRevision
        guard StoredFields.isConfirmed(data.headerFields, byHead: received.headerFields) else {
            if context.extensions.contains(where: { $0.hasData(of: self, asNewAs: received) }) { return }
            becomeStale()
            observerList?.deliverSilentChange(of: self)
            return removeFromCaches()
        }
        guard let confirmed = confirmed(data, by: received) else { return }
        let now = context.now
        let isConfirmed = change { state in
            guard state.contentRevision == revision else { return false }  // Code of the app has replaced the data.
            state.confirm(confirmed, at: now)
            return true
        }
        guard isConfirmed else { return }
        observerList?.deliverSilentChange(of: self)
        let places = cachePlacesOfLoad
        let headers = NotModified.allDifferences(of: confirmed.headerFields, from: data.headerFields)
        confirm(data.validator, updating: headers, confirmed.cachingInfo, in: places)
    }
}
