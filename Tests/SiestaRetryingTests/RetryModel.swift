import CacheTorture
import Foundation
import SiestaCore
import SiestaRetrying
import SiestaTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
import TestDoubles
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
        /// True if the origin knows the outcome.
        var isEnded = false
    }

    let seed: UInt64
    var mismatch: String?
    private var generator: SeededGenerator
    let clock = TestClock()
    let network = StubNetwork()
    let status = NetworkStatus()
    let activity = AppActivity()
    private let services: [Service]
    let resources: [Resource]
    let retryLimit: Int
    private(set) var pacing = Pacing()
    var origin: ExpectedOrigin
    /// The explicit requests that were never sent, in the order in which they were made.
    var queue: [Queued] = []
    /// The time of the last change of the network.
    var connectionTime: TimeInterval = 0
    /// The times of the last repetitions, by the path of the resource.
    var repetitions: [String: TimeInterval] = [:]
    /// The number of checks since requests wait without reason.
    var heldCount = 0
    let waitsOffline: Bool
    let hasKeys: Bool
    let hasTriggers: Bool
    let pollInterval: TimeInterval
    var observers: [ObserverRecorder?] = [nil, nil, nil]
    var pollOwners: [NSObject?] = [nil, nil, nil]
    var requests: [(request: any Request, id: String, completions: Counter)] = []
    /// The indices of the requests that had not completed at the last check.
    var openRequests: [Int] = []
    /// The indices of the sendings that had not completed at the last check.
    var openSendings: [Int] = []
    /// The number of requests that were sent at least once.
    var sentCount = 0
    var sendings: [Sending] = []
    var known: [String: Known] = [:]
    private var idCount = 0
    private var isExplicit = false
    /// The name of the request that the current step has made; empty if it made none.
    private var explicitId = ""
    var isObserving = false
    var lastAutomatic: [String: TimeInterval] = [:]
    var wasPolled = [false, false, false]
    /// The times since which each resource could be polled, and since which it needs a reload.
    var idleSince: [TimeInterval?] = [nil, nil, nil]
    var staleSince: [TimeInterval?] = [nil, nil, nil]
    /// The times at which the retries that were sent were decided.
    var retryDecisions: [TimeInterval] = []
    /// The times at which retries were planned.
    private var plannedRetries: [TimeInterval] = []
    var steps: [String] = []
    var retryCount = 0
    var automaticCount = 0
    var offlineCount = 0

    /// The requests whose exchanges do not exist yet.
    var pendingNotes: [(id: String, method: String, time: TimeInterval)] = []

    final class Counter {
        var value = 0
    }

    init(seed: UInt64) {
        self.seed = seed
        var generator = SeededGenerator(seed: seed)
        func pick<Value>(_ values: [Value]) -> Value { values[Int(generator.next() % UInt64(values.count))] }
        retryLimit = pick([0, 1, 3])
        pacing.concurrentRequests = pick([nil, nil, 1, 3])
        pacing.requestsPerSecond = pick([nil, nil, 2])
        pacing.burst = pick([1, 4])
        pacing.followsServer = pick([true, false])
        pacing.failureLimit = pick([nil, nil, 4])
        if pacing.failureLimit != nil { pacing.failurePause = 10 }
        origin = ExpectedOrigin(pacing: pacing)
        waitsOffline = pick([true, false])
        pollInterval = pick([0.5, 4, 20])
        hasTriggers = pick([true, false])
        hasKeys = pick([true, true, false])
        self.generator = generator
        let network = network
        let services = clock.whileCurrent {
            (0..<2).map { _ in Service(baseURL: "https://api.test", standardTransformers: [], networking: network) }
        }
        self.services = services
        resources = [services[0].resource("/0"), services[0].resource("/1"), services[1].resource("/2")]
        clock.jitter = Double(generator.next() % 101) / 100
        for service in services { configure(service) }
        network.handler = { [weak self] in
            self?.note($0)
            return .held
        }
    }

    private func configure(_ service: Service) {
        service.networkStatus = status
        service.appActivity = activity
        service.configure { [unowned self] in
            $0.expirationTime = 2
            $0.retry.retryLimit = retryLimit
            $0.pacing = pacing
            if hasKeys { $0.sendsIdempotencyKeys = true }
            if waitsOffline { $0.offline = .wait(upTo: 20) }
            if hasTriggers { $0.reload = [.observed, .foreground, .reconnected] }
            $0.progressReportingInterval = 1_000_000
            $0.mutateRequests { [weak self] in self?.name(&$0) }
        }
        service.configure("/0") { $0.priority = .high }
        service.configure("/2") { $0.priority = .low }
    }

    /// Gives each request a name, which stays the same for all of its attempts.
    private func name(_ request: inout URLRequest) {
        idCount += 1
        request.setValue("\(idCount)", forHTTPHeaderField: "X-Id")
        known["\(idCount)"] = Known(made: now)
        if isExplicit {
            explicitId = "\(idCount)"
            queue.append(Queued(id: explicitId, order: idCount, path: request.url?.path ?? "", made: now))
        } else {
            checkAutomatic(request.url?.path ?? "")
        }
    }

    var now: TimeInterval { clock.clock.monotonicTime }

    func fail(_ message: String) {
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
            connectionTime = now
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
        known[some.id]?.isCancelled = true
        queue.removeAll { $0.id == some.id }
        for index in openSendings where sendings[index].exchange.isCancelled && !sendings[index].isEnded {
            sendings[index].isEnded = true
            origin.end(sendings[index].id, .unknown, at: now)
        }
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

    func give(_ kind: Answer, to index: Int) {
        steps.append("\(kind)→\(sendings[index].id)")
        sendings[index].exchange.respond(with: kind.stub)
        sendings[index].answer = (kind, now, status.isConnected)
        expect(after: index, kind)
    }

    /// Determines what must follow after an answer.
    func expect(after index: Int, _ kind: Answer) {
        let id = sendings[index].id
        if kind.closing > 0 { origin.close(until: now + kind.closing) }
        let isOfDevice = !status.isConnected && (kind == .refused || kind == .lost)
        origin.end(id, isOfDevice ? .unknown : kind.isFailure ? .failure : .success, at: now)
        sendings[index].isEnded = true
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
}
