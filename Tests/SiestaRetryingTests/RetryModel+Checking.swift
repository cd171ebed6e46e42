import Foundation
import SiestaCore
import SiestaRetrying
import SiestaTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The checks.
extension RetryModel {
    /// Checks a request that reaches the network.
    func note(_ request: URLRequest) {
        guard let id = request.value(forHTTPHeaderField: "X-Id"), var this = known[id] else {
            return fail("a request without a name")
        }
        if let last = this.sendings.last {
            checkRepetition(id, &this, after: last)
        }
        collect()
        if let broken = origin.send(id, at: now) { fail("\(id) was sent, although \(broken)") }
        if this.sendings.isEmpty {
            sentCount += 1
            checkOrder(id)
        }
        this.sendings.append(sendings.count)
        known[id] = this
        // The exchange exists when the handler has returned.
        let (method, time) = (request.httpMethod ?? "", now)
        pendingNotes.append((id, method, time))
    }

    /// Connects the noted requests with the exchanges of the network.
    func collect() {
        while sendings.count < network.exchanges.count, !pendingNotes.isEmpty {
            let note = pendingNotes.removeFirst()
            openSendings.append(sendings.count)
            sendings.append(
                Sending(id: note.id, method: note.method, time: note.time, exchange: network.exchanges[sendings.count]))
        }
    }

    private func checkRepetition(_ id: String, _ this: inout Known, after last: Int) {
        guard let time = this.nextTime else { return fail("\(id) was sent again without reason") }
        if now < time - 1e-6 { fail("\(id) was sent \(time - now) s before its time") }
        if this.isOffline {
            offlineCount += 1
        } else {
            this.retryCount += 1
            retryDecisions.append(this.decisionTime)
            retryCount += 1
            if this.retryCount > retryLimit { fail("\(id) was retried too often") }
        }
        this.nextTime = nil
        guard !isPaced else { return }
        let path = sendings[last].exchange.request.url?.path ?? ""
        if let other = repetitions[path], now - other < 0.1 - 1e-6 { fail("\(path) was tried twice within 0.1 s") }
        repetitions[path] = now
    }

    /// True if requests may wait for their origin.
    private var isPaced: Bool {
        pacing.followsServer || pacing.concurrentRequests != nil || pacing.requestsPerSecond != nil
    }

    /// Checks that no request waits for a network that has been there for a time.
    private func checkOffline() {
        let seconds = now - connectionTime
        if status.isConnected, seconds > 6, resources.contains(where: { $0.retry?.reason == .offline }) {
            fail("a request waits for the network, which has been there for \(seconds) s")
        }
    }

    func checkAutomatic(_ path: String) {
        automaticCount += 1
        let index = Int(path.dropFirst()) ?? 0
        if observers[index] == nil { fail("\(path) was loaded unasked without an observer") }
        if !status.isConnected, !isObserving { fail("\(path) was loaded unasked without a network") }
        if !hasTriggers, !activity.isActive { fail("\(path) was loaded unasked in the background") }
        let gap = wasPolled[index] ? 0.1 : 5
        if let last = lastAutomatic[path], now - last < gap - 1e-6 { fail("\(path) was loaded unasked twice at once") }
        lastAutomatic[path] = now
    }

    /// Checks all rules that hold at any time.
    func check() {
        collect()
        let lastCount = openSendings.count
        openSendings.removeAll { sendings[$0].exchange.isCompleted }
        if let concurrency = pacing.concurrentRequests, openSendings.count > concurrency {
            fail("\(openSendings.count) requests run at the same time")
        }
        checkBudget()
        openRequests.removeAll { index in
            let (request, id, counter) = requests[index]
            guard request.isCompleted else {
                if counter.value > 0 { fail("the hook of a request ran before the end of the request") }
                return false
            }
            checkCompletion(id)
            return true
        }
        checkHolds(lastCount)
        checkOffline()
        for index in resources.indices { checkReloads(index) }
        for resource in resources where mismatch == nil {
            let waiting = resource.retry != nil
            let isBusy = !resource.allRequests.isEmpty
            if waiting, !isBusy { fail("\(resource) waits, but nothing runs") }
            if waiting != (resource.snapshot.retry != nil) { fail("the snapshot of \(resource) differs") }
        }
    }

    /// Checks that a completed request has made all attempts that the rules permit.
    private func checkCompletion(_ id: String) {
        queue.removeAll { $0.id == id }
        guard let request = known[id], !request.isCancelled else { return }
        if request.sendings.isEmpty, !origin.mayHaveRefused(since: request.made) { fail("\(id) was never sent") }
        guard let time = request.nextTime else { return }
        known[id]?.nextTime = nil
        if request.isOffline, let end = request.offlineEnd, end <= now { return }
        if origin.mayHaveRefused(since: time) { return }
        if !request.isOffline, request.mayLackBudget { return }
        fail("\(id) gave up, although it may be sent at \(time), now \(now)")
    }

    /// Notes the resources that a return of the network or of the app must load.
    func noteTrigger() {
        for index in resources.indices where hasTriggers && !resources[index].isUpToDate {
            staleSince[index] = now
        }
    }

    /// Checks that a resource is loaded when its triggers and polls demand it.
    private func checkReloads(_ index: Int) {
        let resource = resources[index]
        let isReady =
            observers[index] != nil && status.isConnected && !resource.isLoading && origin.closedUntil <= now
            && resource.latestError?.retryAfter == nil && pacing.failureLimit == nil
        if !isReady || resource.isUpToDate { staleSince[index] = nil }
        if let time = staleSince[index], now - time > 5.1 { fail("\(resource) was not reloaded since \(time)") }
        guard isReady, activity.isActive, pollOwners[index] != nil else { return idleSince[index] = nil }
        let time = idleSince[index] ?? now
        idleSince[index] = time
        if now - time > max(pollInterval, 0.1) + 1e-6 { fail("\(resource) was not polled since \(time)") }
    }

    /// Checks that no request overtakes another one that precedes it.
    private func checkOrder(_ id: String) {
        guard let index = queue.firstIndex(where: { $0.id == id }) else { return }
        let sent = queue.remove(at: index)
        guard pacing.failureLimit == nil, let other = queue.first(where: { $0.precedes(sent) }) else { return }
        fail("\(id) was sent before \(other.id)")
    }

    /// Checks that requests wait only if a rule demands it. The places of requests that have ended since the last check
    /// are not free yet.
    private func checkHolds(_ lastCount: Int) {
        let isFull = pacing.concurrentRequests.map { lastCount >= $0 } ?? false
        let reasons = resources.compactMap(\.retry?.reason)
        // Only the reason of the first waiting request is kept up to date. If it waits for the rate, so do the others.
        let isHeld = !reasons.contains(.rate) && reasons.contains { [.server, .concurrency].contains($0) }
        heldCount = isHeld && !isFull && !origin.holds(at: now) ? heldCount + 1 : 0
        guard heldCount > 3 else { return }
        fail("requests wait without a reason: \(reasons), \(lastCount) run, \(pacing)")
    }

    /// Retries are at most 20 % of the requests in a minute, or 10. The library counts parts of 5 seconds.
    private func checkBudget() {
        let recent = retryDecisions.count { $0 > now - 54 }
        if recent > max(10, sentCount / 5) { fail("\(recent) retries for \(sentCount) requests") }
    }

    /// Answers everything, so that all requests complete.
    func finish() {
        guard mismatch == nil else { return }
        steps.append("finish")
        for index in resources.indices {
            pollOwners[index] = nil
            if let observer = observers[index] { resources[index].removeObservers(ownedBy: observer) }
            observers[index] = nil
        }
        status.isConnected = true
    }

    /// True if nothing is left to answer.
    var isDone: Bool { mismatch != nil || !resources.contains { $0.isRequesting || $0.isLoading } }

    func answerAll() {
        guard mismatch == nil else { return }
        collect()
        for index in openSendings where sendings[index].answer == nil && !sendings[index].exchange.isCompleted {
            give(.success, to: index)
        }
        clock.advance(by: 30)
        check()
        heldCount = 0  // The places of the answered requests are free only later.
    }

    func checkEnd() {
        collect()
        for (index, (request, _, counter)) in requests.enumerated() where !request.isCompleted || counter.value != 1 {
            fail("request \(index) is \(request.state), and its hook ran \(counter.value) times")
        }
        for resource in resources where resource.retry != nil || resource.isLoading {
            fail("\(resource) is not idle at the end")
        }
    }
}
