import CacheTorture
import Foundation
import Siesta
import SiestaTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A random schedule of requests, answers, observers, polls, losses of the network and jumps of time, for three
/// resources of one origin. It checks the rules of retries, pacing and reloads by the requests that reach the network.
@MainActor
final class RetryModel {
    /// A request that reached the network.
    struct Sending {
        let id: String
        let method: String
        let time: TimeInterval
        let exchange: StubExchange
        /// The answer, and its time.
        var answer: (kind: Answer, time: TimeInterval, isOnline: Bool)?
    }

    /// What is known about the sendings of one request.
    struct Known {
        var sendings: [Int] = []
        var retryCount = 0
        /// The earliest time of the next sending; nil if there must be none.
        var nextTime: TimeInterval?
        /// True if the next sending waits for the network.
        var isOffline = false
        /// The time at which the request stops to wait for the network; nil before it waits.
        var offlineEnd: TimeInterval?
        /// The time at which the next sending was decided.
        var decisionTime: TimeInterval = 0
        /// True if the budget may have refused the next sending.
        var mayLackBudget = false
    }

    enum Answer: CaseIterable {
        case success, notFound, unavailable, unavailableFor3, tooManyFor8, unavailableForDays, refused, lost

        var stub: StubAnswer {
            switch self {
            case .success: .text("a")
            case .notFound: .response(404)
            case .unavailable: .response(503)
            case .unavailableFor3: .response(503, headers: ["Retry-After": "3"])
            case .tooManyFor8: .response(429, headers: ["Retry-After": "8"])
            case .unavailableForDays: .response(503, headers: ["Retry-After": "99999999999"])
            case .refused: .failure(.cannotConnectToHost)
            case .lost: .failure(.networkConnectionLost)
            }
        }

        /// The time for which the server asks to send nothing, in seconds.
        var retryAfter: TimeInterval {
            switch self {
            case .unavailableFor3: 3
            case .tooManyFor8: 8
            case .unavailableForDays: 86_400
            default: 0
            }
        }

        var isRetried: Bool { self != .success && self != .notFound }
        var isConnectionError: Bool { self == .refused || self == .lost }
    }

    let seed: UInt64
    var mismatch: String?
    private var generator: SeededGenerator
    private let clock = TestClock()
    private let network = StubNetwork()
    private let status = ManualNetworkStatus()
    private let activity = ManualAppActivity()
    private let service: Service
    private let resources: [Resource]
    private let retryLimit: Int
    private let concurrency: Int?
    private let followsServer: Bool
    private let waitsOffline: Bool
    private let hasKeys: Bool
    private let hasTriggers: Bool
    private let pollInterval: TimeInterval
    private var observers: [ObserverRecorder?] = [nil, nil, nil]
    private var pollOwners: [NSObject?] = [nil, nil, nil]
    private var requests: [(request: any Request, id: String, completions: Counter)] = []
    /// The indices of the requests that had not completed at the last check.
    private var openRequests: [Int] = []
    /// The indices of the sendings that had not completed at the last check.
    private var openSendings: [Int] = []
    /// The number of requests that were sent at least once.
    private var sentCount = 0
    private(set) var sendings: [Sending] = []
    private var known: [String: Known] = [:]
    private var idCount = 0
    private var isExplicit = false
    /// The name of the request that the current step has made; empty if it made none.
    private var explicitId = ""
    private var isObserving = false
    private var closedUntil = -TimeInterval.infinity
    private var lastAutomatic: [String: TimeInterval] = [:]
    private var wasPolled = [false, false, false]
    /// The times since which each resource could be polled, and since which it needs a reload.
    private var idleSince: [TimeInterval?] = [nil, nil, nil]
    private var staleSince: [TimeInterval?] = [nil, nil, nil]
    /// The times at which the retries that were sent were decided.
    private var retryDecisions: [TimeInterval] = []
    /// The times at which retries were planned.
    private var plannedRetries: [TimeInterval] = []
    private(set) var steps: [String] = []
    private(set) var retryCount = 0
    private(set) var automaticCount = 0
    private(set) var offlineCount = 0

    private final class Counter {
        var value = 0
    }

    init(seed: UInt64) {
        self.seed = seed
        var generator = SeededGenerator(seed: seed)
        func pick<Value>(_ values: [Value]) -> Value { values[Int(generator.next() % UInt64(values.count))] }
        retryLimit = pick([0, 1, 3])
        concurrency = pick([nil, nil, 1, 3])
        followsServer = pick([true, false])
        waitsOffline = pick([true, false])
        pollInterval = pick([0.5, 4, 20])
        hasTriggers = pick([true, false])
        hasKeys = pick([true, true, false])
        self.generator = generator
        let network = network
        let service = clock.whileCurrent {
            Service(baseURL: "https://api.test", standardTransformers: [], networking: network)
        }
        self.service = service
        resources = ["/0", "/1", "/2"].map { service.resource($0) }
        service.networkStatus = status
        service.appActivity = activity
        clock.jitter = Double(generator.next() % 101) / 100
        service.configure { [unowned self] in
            $0.expirationTime = 2
            $0.retry.retryLimit = retryLimit
            $0.pacing.concurrentRequests = concurrency
            $0.pacing.followsServer = followsServer
            if hasKeys { $0.idempotencyKeys = .automatic }
            if waitsOffline { $0.offline = .wait(upTo: 20) }
            if hasTriggers { $0.reload = [.observed, .foreground, .reconnected] }
            $0.progressReportingInterval = 1_000_000
            $0.mutateRequests { [weak self] in self?.name(&$0) }
        }
        network.handler = { [weak self] in
            self?.note($0)
            return .held
        }
    }

    /// Gives each request a name, which stays the same for all of its attempts.
    private func name(_ request: inout URLRequest) {
        idCount += 1
        request.setValue("\(idCount)", forHTTPHeaderField: "X-Id")
        known["\(idCount)"] = Known()
        if isExplicit { explicitId = "\(idCount)" } else { checkAutomatic(request.url?.path ?? "") }
    }

    private var now: TimeInterval { clock.clock.monotonicTime }

    private func fail(_ message: String) {
        guard mismatch == nil else { return }
        mismatch = "seed \(seed): \(message)\nafter: \(steps.suffix(60).joined(separator: " "))"
    }

    // MARK: Steps

    func step() {
        guard mismatch == nil else { return }
        let index = Int(generator.next() % 3)
        let resource = resources[index]
        switch generator.next() % 20 {
        case 0...2: explicitly("load\(index)") { keep(resource.load()) }
        case 3: explicitly("need\(index)") { resource.loadIfNeeded().map { keep($0) } }
        case 4: explicitly("post\(index)") { keep(resource.request(.post)) }
        case 5...9: answer()
        case 10: failAll(index)
        case 11: cancel()
        case 12: toggleObserver(index)
        case 13: togglePoll(index)
        case 14:
            steps.append(status.isConnected ? "off" : "on")
            status.isConnected.toggle()
            if status.isConnected { noteTrigger() }
        case 15:
            steps.append(activity.isActive ? "hide" : "show")
            activity.isActive.toggle()
            if activity.isActive { noteTrigger() }
        default: advance()
        }
        check()
    }

    private func explicitly(_ name: String, _ action: () -> Void) {
        steps.append(name)
        isExplicit = true
        explicitId = ""
        action()
        isExplicit = false
    }

    private func keep(_ request: any Request) {
        guard !requests.contains(where: { $0.request === request }) else { return }
        let counter = Counter()
        request.onCompletion { _ in counter.value += 1 }
        openRequests.append(requests.count)
        requests.append((request, explicitId, counter))
    }

    private func cancel() {
        guard let some = requests.randomElement(using: &generator) else { return }
        explicitly("cancel\(some.id)") { some.request.cancel() }
        known[some.id]?.nextTime = nil
        lastAutomatic = [:]  // A cancelled reload does not delay the next one.
    }

    /// Makes several requests, and answers everything with 503.
    private func failAll(_ index: Int) {
        for _ in 0..<3 { explicitly("delete\(index)") { keep(resources[index].request(.delete)) } }
        collect()
        for index in openSendings where sendings[index].answer == nil && !sendings[index].exchange.isCompleted {
            give(.unavailable, to: index)
        }
    }

    private func toggleObserver(_ index: Int) {
        steps.append(observers[index] == nil ? "observe\(index)" : "leave\(index)")
        if let observer = observers[index] {
            resources[index].removeObservers(ownedBy: observer)
            observers[index] = nil
        } else {
            let observer = ObserverRecorder()
            observers[index] = observer
            isObserving = true  // Then a load may start without a network, too.
            resources[index].addObserver(observer)
            isObserving = false
        }
    }

    private func togglePoll(_ index: Int) {
        steps.append(pollOwners[index] == nil ? "poll\(index)" : "end\(index)")
        if pollOwners[index] != nil {
            pollOwners[index] = nil
        } else {
            let owner = NSObject()
            pollOwners[index] = owner
            wasPolled[index] = true
            resources[index].poll(every: pollInterval, owner: owner)
        }
    }

    private func advance() {
        let seconds = [0.05, 0.1, 0.3, 1, 2.5, 6, 25][Int(generator.next() % 7)]
        steps.append("+\(seconds)")
        clock.advance(by: seconds)
    }

    private func answer() {
        let open = openSendings.filter { sendings[$0].answer == nil && !sendings[$0].exchange.isCompleted }
        guard let index = open.randomElement(using: &generator) else { return }
        let kinds: [Answer] = status.isConnected ? Answer.allCases + [.success, .unavailable] : [.refused, .lost]
        let kind = kinds[Int(generator.next() % UInt64(kinds.count))]
        give(kind, to: index)
    }

    private func give(_ kind: Answer, to index: Int) {
        steps.append("\(kind)→\(sendings[index].id)")
        sendings[index].exchange.respond(with: kind.stub)
        sendings[index].answer = (kind, now, status.isConnected)
        expect(after: index, kind)
    }

    /// Determines what must follow after an answer.
    private func expect(after index: Int, _ kind: Answer) {
        let id = sendings[index].id
        if followsServer, kind.retryAfter > 0 { closedUntil = max(closedUntil, now + kind.retryAfter) }
        guard var request = known[id] else { return }
        request.nextTime = nil
        request.isOffline = false
        let isRepeatable = hasKeys || sendings[index].method != "POST"
        if waitsOffline, !status.isConnected, kind == .refused || kind == .lost && isRepeatable,
            request.offlineEnd ?? .infinity > now
        {
            request.nextTime = now + 0.1
            request.isOffline = true
            request.offlineEnd = request.offlineEnd ?? now + 20
        } else if kind.isRetried, kind.retryAfter <= 60, request.retryCount < retryLimit, isRepeatable {
            let delay = min(0.5 * pow(2, Double(request.retryCount)), 20) * clock.jitter
            request.nextTime = now + max(delay, kind.retryAfter, 0.1)
            plannedRetries.append(now)
            request.decisionTime = now
            request.mayLackBudget = plannedRetries.count(where: { $0 > now - 60 }) > 10
        }
        known[id] = request
    }

    // MARK: Checking

    /// Checks a request that reaches the network.
    private func note(_ request: URLRequest) {
        guard let id = request.value(forHTTPHeaderField: "X-Id"), var this = known[id] else {
            return fail("a request without a name")
        }
        if let last = this.sendings.last {
            checkRepetition(id, &this, after: last)
        }
        if followsServer, now < closedUntil - 1e-6 { fail("\(id) was sent \(closedUntil - now) s too early") }
        if this.sendings.isEmpty { sentCount += 1 }
        this.sendings.append(sendings.count)
        known[id] = this
        // The exchange exists when the handler has returned.
        let (method, time) = (request.httpMethod ?? "", now)
        pendingNotes.append((id, method, time))
    }

    private var pendingNotes: [(id: String, method: String, time: TimeInterval)] = []

    /// Connects the noted requests with the exchanges of the network.
    private func collect() {
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
    }

    private func checkAutomatic(_ path: String) {
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
        openSendings.removeAll { sendings[$0].exchange.isCompleted }
        if let concurrency, openSendings.count > concurrency {
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
        guard let request = known[id], let time = request.nextTime else { return }
        known[id]?.nextTime = nil
        if request.isOffline, let end = request.offlineEnd, end <= now { return }
        if followsServer, closedUntil > now + 60 { return }
        if !request.isOffline, request.mayLackBudget { return }
        fail("\(id) gave up, although it may be sent at \(time), now \(now)")
    }

    /// Notes the resources that a return of the network or of the app must load.
    private func noteTrigger() {
        for index in resources.indices where hasTriggers && !resources[index].isUpToDate {
            staleSince[index] = now
        }
    }

    /// Checks that a resource is loaded when its triggers and polls demand it.
    private func checkReloads(_ index: Int) {
        let resource = resources[index]
        let isReady =
            observers[index] != nil && status.isConnected && !resource.isLoading && closedUntil <= now
            && resource.latestError?.retryAfter == nil
        if !isReady || resource.isUpToDate { staleSince[index] = nil }
        if let time = staleSince[index], now - time > 5.1 { fail("\(resource) was not reloaded since \(time)") }
        guard isReady, activity.isActive, pollOwners[index] != nil else { return idleSince[index] = nil }
        let time = idleSince[index] ?? now
        idleSince[index] = time
        if now - time > max(pollInterval, 0.1) + 1e-6 { fail("\(resource) was not polled since \(time)") }
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
