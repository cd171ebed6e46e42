import SiestaCore

extension Resource {
    /// Makes an entity that a stream has brought the data, also in persistent caches. Responses to loads that began before do
    /// not replace it.
    ///
    /// - Parameters:
    ///   - made: the wipe count when the entity arrived. If the resource was wiped since then, nothing changes.
    ///   - isCurrent: true if the stream brings each further change, so that the data is fresh until it ends.
    ///   - note: receives the ``State/contentRevision`` of the data before observers, which may change the data.
    func setLiveData(
        _ entity: Entity<Any>, unlessWipedSince made: WipeCount, isCurrent: Bool, note: (UInt32) -> Void
    ) {
        let (now, read) = (context.now, stopReadingCache())
        let revision: UInt32? = change { state in
            guard !isOutdated(made) else { return nil }
            state.settle(entity, from: .network, isDoubtful: false, at: now)
            state.setGuarantee(isCurrent, at: now)
            return state.contentRevision
        }
        if let revision {
            note(revision)
            storeSettled(entity, nil)
            notifyObservers(.newData(.network))
        }
        read?.finish()
    }

    /// Removes the data, because the server has deleted the resource.
    func removeLiveData() {
        let read = removeDeletedData(isOwn: false)
        notifyObservers(.newData(.wipe))
        read?.finish()
    }

    /// Makes the data stale. Responses to loads that have begun do not change this.
    func outdateLiveData() {
        guard state.hasData, !state.isInvalidated || state.isLoading else { return }
        change { $0.invalidateWithLoads() }
        observerList?.deliverSilentChange(of: self)
    }

    func setGuarantee(_ isGuaranteed: () -> Bool) {
        let now = context.now
        change { $0.setGuarantee(isGuaranteed(), at: now) }
    }

    /// The streams of the service that wait.
    var waitsOfStreams: StreamWaits { context.feature(StreamWaits.self) }
}
