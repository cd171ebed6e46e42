extension Service {
    /// Returns descriptions of the work of this service that is not finished: requests, streams, reads and writes of
    /// caches, and the work of the outbox.
    ///
    /// - Parameter includingTimers: false to leave out the requests that wait for a timer, for the network, or for
    ///   their turn at an origin.
    package func unfinishedWork(includingTimers: Bool) -> [String] {
        context.unfinishedWork(includingTimers: includingTimers)
    }

    /// The resources that are in memory, sorted by their addresses.
    package var knownResources: [Resource] { context.resources.sorted { $0.address < $1.address } }

    /// Waits until the storages of the caches have stored everything that was written so far.
    package func flushCaches() async {
        for storage in context.storages.compactMap(\.storage) { try? await storage.flush() }
    }
}

extension ResourceContext {
    fileprivate func unfinishedWork(includingTimers: Bool) -> [String] {
        var work = repeatedRequests.own.compactMap { unfinished($0, includingTimers) }
        for resource in resources { work += resource.unfinishedWork { unfinished($0, includingTimers) } }
        for feature in extensions { work += feature.unfinishedWork(includingTimers: includingTimers) }
        if !unfinishedWrites.isEmpty { work.append("an entity is written to a cache of the app") }
        return work
    }

    private func unfinished(_ request: any Request, _ includingTimers: Bool) -> String? {
        guard request.state == .inProgress else { return nil }
        guard request.live?.isWaitingForTimer == true else { return "\(request) runs" }
        return includingTimers ? "\(request) waits for a timer" : nil
    }
}

extension Resource {
    fileprivate func unfinishedWork(_ describe: (any Request) -> String?) -> [String] {
        var work = running.all.compactMap(describe)
        if isReadingCache { work.append("the caches of \(self) are read") }
        if cacheLane?.isIdle == false { work.append("the caches of \(self) are written") }
        return work
    }
}
