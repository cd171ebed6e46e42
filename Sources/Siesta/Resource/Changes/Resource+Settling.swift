extension Resource {
    /// Sets the data to the result of a change, also in persistent caches. Responses to loads that began before do not
    /// replace it.
    func settle(_ entity: Entity<Any>, from source: DataSource) {
        let now = context.now
        let read = stopReadingCache()
        change { $0.settle(entity, from: source, at: now) }
        context.clock.whileCurrent { storeInCaches(entity) }
        read?.finish()
    }

    /// Makes edits part of the data. Without data, the edits may create it.
    ///
    /// - Parameter etag: the entity tag of the new version; nil if the server has not sent it. Then nothing is known of the
    ///   version, and later loads have no condition.
    func settle(by edits: [any ContentEdit], etag: String?) {
        guard !edits.isEmpty else { return }
        let edited = context.clock.whileCurrent { Entity.edited(state.data, by: edits) }
        guard var edited else { return }
        var headers = edited.headers
        (headers["etag"], headers["last-modified"]) = (etag, nil)
        edited.headers = headers
        settle(edited, from: etag == nil ? .local : .network)
    }
}
