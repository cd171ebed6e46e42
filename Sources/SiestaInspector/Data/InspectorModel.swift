import Foundation
import HTTPRules
import SiestaCore

/// The knowledge of an inspector: the resources by number, the last requests, the uses of caches, the origins and the log.
/// Pure. It is made from the events of the service, and notes what has changed since the last update of the page.
///
/// The page knows resources by number only, because their addresses may contain secrets.
struct InspectorModel: Sendable {
    /// The maximum numbers of rows. Older rows are dropped.
    static let (requestLimit, cacheLimit, logLimit, originLimit) = (500, 2000, 500, 200)
    /// The maximum number of changes that are noted for the next update. With more, the pages read the whole state.
    static let changeLimit = 20_000

    /// The numbers of the rows that have changed.
    struct Changes: Sendable {
        var resources: Set<Int> = []
        var requests: Set<Int> = []
        var caches: Set<Int> = []
        var origins: Set<String> = []
        var log: [LogRow] = []
        var hasMissed = false

        var isEmpty: Bool {
            resources.isEmpty && requests.isEmpty && caches.isEmpty && origins.isEmpty && log.isEmpty && !hasMissed
        }

        /// The number of changes that nothing else limits.
        var count: Int { resources.count + requests.count + caches.count }
    }

    struct CacheKey: Hashable, Sendable {
        let resource: Int
        let stage: String
    }

    private(set) var addresses: [Int: (address: String, url: String)] = [:]
    private var numbers: [String: Int] = [:]
    private(set) var requests: [Int: RequestRow] = [:]
    private(set) var requestOrder: [Int] = []
    /// The running requests of each resource, the newest last.
    private var running: [Int: [Int]] = [:]
    /// The requests to which attempts belong, by the number of the event of the attempt.
    private var attempts: [Int: Int] = [:]
    /// The reasons of loads, by the number of the event of the decision.
    private var reasons = BoundedTable<Int, String>(limit: 1000)
    private(set) var caches: [CacheKey: CacheRow] = [:]
    private(set) var origins: [String: OriginRow] = [:]
    private(set) var log: [LogRow] = []
    private(set) var changes = Changes()
    private var lastNumber = 0

    /// Returns the changes since the last call.
    mutating func takeChanges() -> Changes { exchange(&changes, with: Changes()) }

    // MARK: Resources

    /// Returns the number of a resource.
    mutating func number(of address: String) -> Int {
        if let known = numbers[address] { return known }
        lastNumber += 1
        numbers[address] = lastNumber
        addresses[lastNumber] = (address, PreparedText.url(address))
        return lastNumber
    }

    /// The number of resources that the page knows.
    var resourceCount: Int { numbers.count }

    /// Returns true if the page does not know the resource yet. Then it is added, and counts as changed.
    mutating func discover(_ address: String) -> Bool {
        guard numbers[address] == nil else { return false }
        changes.resources.insert(number(of: address))
        limitChanges()
        return true
    }

    /// Makes a resource count as changed.
    mutating func touch(_ number: Int) { changes.resources.insert(number) }

    /// Forgets all resources except those with these addresses.
    mutating func keep(_ current: Set<String>) {
        for (number, entry) in addresses where !current.contains(entry.address) { forget(number) }
        changes = Changes()
        changes.hasMissed = true
    }

    /// Without a page, nobody takes the changes.
    private mutating func limitChanges() {
        guard changes.count > Self.changeLimit else { return }
        changes = Changes()
        changes.hasMissed = true
    }

    /// Forgets a resource that the service has dropped.
    mutating func forget(_ number: Int) {
        guard let entry = addresses.removeValue(forKey: number) else { return }
        numbers[entry.address] = nil
    }

    // MARK: Log

    mutating func note(_ category: String, _ message: String, at time: Double) {
        lastNumber += 1
        let row = LogRow(id: lastNumber, time: time, category: category, message: message)
        log.append(row)
        changes.log.append(row)
        if log.count > Self.logLimit * 2 { log.removeFirst(log.count - Self.logLimit) }
        if changes.log.count > Self.logLimit * 2 { changes.log.removeFirst(changes.log.count - Self.logLimit) }
    }

    // MARK: Events

    mutating func note(_ event: ActivityEvent) {
        if case .missed = event.kind { return changes.hasMissed = true }
        guard let address = event.address else { return }
        let resource = number(of: address)
        changes.resources.insert(resource)
        defer { limitChanges() }
        switch event.kind {
        case .loadDecision(let reason, let outcome):
            reasons[event.id] = "\(reason)"
            // The request of a load may have started just before the decision was noted.
            guard outcome == .began, let id = running[resource]?.last, requests[id]?.reason == nil else {
                break
            }
            requests[id]?.reason = "\(reason)"
            changes.requests.insert(id)
        case .stateChanged: reasons[event.id] = event.cause.flatMap { reasons[$0] }
        case .requestStarted(let method, let isLoad):
            begin(event, resource, origin: Self.origin(of: address), method: method, isLoad: isLoad)
        case .requestSent(let attempt, let reason, _):
            // The cause is the start, as for an end.
            guard let start = event.cause, requests[start] != nil else { break }
            attempts[event.id] = start
            change(event, resource) { $0.noteAttempt(attempt, reason) }
            if reason == .retry { changeOrigin(of: event, resource) { $0.retries += 1 } }
        case .requestWaits(let seconds, let reason):
            let text = PreparedText.line(seconds.map { "\(reason), \($0.rounded()) s" } ?? reason, limit: 200)
            change(event, resource) { $0.wait = text }
            changeOrigin(of: event, resource) { $0.waits += 1 }
        case .transformed(let stage, let transformer, let duration, let hasFailed):
            let step = RequestRow.Transformation(
                stage: stage, transformer: transformer, duration: duration, hasFailed: hasFailed)
            change(event, resource) { if $0.transformations.count < 20 { $0.transformations.append(step) } }
        case .requestEnded(let end): self.end(end, event, resource)
        case .cache(let operation, let stage, let duration):
            let key = CacheKey(resource: resource, stage: PreparedText.line(stage ?? "all stages", limit: 100))
            note(operation, lasting: duration, key, event)
        case .requestRedirected, .observerAdded, .observerRemoved, .invalidated, .updatesChanged, .evicted, .missed:
            break
        }
    }

    private mutating func begin(
        _ event: ActivityEvent, _ resource: Int, origin: String, method: String, isLoad: Bool
    ) {
        let url = addresses[resource]?.url ?? ""
        requests[event.id] = RequestRow(
            id: event.id, url: url, resource: resource, origin: origin, method: PreparedText.line(method, limit: 20),
            isLoad: isLoad,
            reason: event.cause.flatMap { reasons[$0] }, start: event.date.timeIntervalSince1970, uptime: event.uptime)
        requestOrder.append(event.id)
        running[resource, default: []].append(event.id)
        changes.requests.insert(event.id)
        changeOrigin(of: event, resource) { ($0.requests, $0.running) = ($0.requests + 1, $0.running + 1) }
        if requestOrder.count > Self.requestLimit * 2 { dropOldRequests() }
    }

    private mutating func dropOldRequests() {
        for id in requestOrder.prefix(requestOrder.count - Self.requestLimit) {
            guard let row = requests.removeValue(forKey: id) else { continue }
            if row.duration == nil, let count = origins[row.origin]?.running {
                origins[row.origin]?.running = max(0, count - 1)  // Its end will not be noted.
                changes.origins.insert(row.origin)
            }
            running[row.resource]?.removeAll { $0 == id }
            if running[row.resource]?.isEmpty == true { running[row.resource] = nil }
        }
        requestOrder.removeFirst(requestOrder.count - Self.requestLimit)
        attempts = attempts.filter { requests[$0.value] != nil }
    }

    /// Returns the request to which an event belongs: its cause, the attempt that is its cause, or the newest request of
    /// the resource that runs.
    private func request(of event: ActivityEvent, _ resource: Int) -> Int? {
        if let cause = event.cause {
            if requests[cause] != nil { return cause }
            if let request = attempts[cause] { return request }
        }
        return running[resource]?.last
    }

    private mutating func change(_ event: ActivityEvent, _ resource: Int, _ change: (inout RequestRow) -> Void) {
        guard let id = request(of: event, resource), var row = requests[id] else { return }
        change(&row)
        requests[id] = row
        changes.requests.insert(id)
    }

    private mutating func end(_ end: ActivityEvent.RequestEnd, _ event: ActivityEvent, _ resource: Int) {
        // The cause of an end is the start. If the start is not known, the end is not that of another request.
        guard let id = event.cause, let row = requests[id] else { return }
        changeOrigin(of: event, resource) { $0.note(end) }
        change(event, resource) { $0.note(end, after: event.uptime - row.uptime) }
        running[resource]?.removeAll { $0 == id }
        if running[resource]?.isEmpty == true { running[resource] = nil }
    }

    private mutating func changeOrigin(
        of event: ActivityEvent, _ resource: Int, _ change: (inout OriginRow) -> Void
    ) {
        guard let name = request(of: event, resource).flatMap({ requests[$0]?.origin }) ?? requests[event.id]?.origin
        else { return }
        guard origins[name] != nil || origins.count < Self.originLimit else { return }
        change(&origins[name, default: OriginRow(name: name)])
        changes.origins.insert(name)
    }

    private mutating func note(
        _ operation: ActivityEvent.CacheOperation, lasting duration: Double?, _ key: CacheKey, _ event: ActivityEvent
    ) {
        if caches[key] == nil {
            if caches.count >= Self.cacheLimit { dropOldCaches() }
            lastNumber += 1
            let url = addresses[key.resource]?.url ?? ""
            caches[key] = CacheRow(id: lastNumber, resource: key.resource, url: url, stage: key.stage)
        }
        guard var row = caches[key] else { return }
        row.note(operation, lasting: duration, at: event.date.timeIntervalSince1970)
        caches[key] = row
        changes.caches.insert(row.id)
    }

    /// Drops a quarter of the rows, so that not every new row searches for the oldest one.
    private mutating func dropOldCaches() {
        let newest = caches.sorted { $0.value.time > $1.value.time }.prefix(Self.cacheLimit * 3 / 4)
        caches = Dictionary(uniqueKeysWithValues: newest.map { ($0.key, $0.value) })
    }

    /// Returns scheme, host and port of an address, without user and password.
    static func origin(of address: String) -> String {
        let origin = URLOrigin(text: address)
        return origin.host.isEmpty ? "invalid URL" : PreparedText.line(origin.description, limit: 200)
    }
}
