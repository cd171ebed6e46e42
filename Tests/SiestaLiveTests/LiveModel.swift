import CacheTorture
import Foundation
import SiestaCore
import SiestaTesting
import Waiting

@testable import SiestaLive

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A random schedule of a server with a log of events, of its connections, and of an app that looks at some of its resources.
///
/// The content of a resource is its version on the server, so that each value tells its place in the history.
@MainActor
final class LiveModel {
    typealias Order = LiveService.Order

    /// An event in the log of the server.
    private struct Event {
        let id: Int
        let text: String
    }

    private let seed: UInt64
    private var random: SeededGenerator
    private let live: LiveService
    private let numbers = [1, 2, 3]
    private var owners: [Int: Owner] = [:]
    private var resources: [Int: Resource] = [:]

    // The server.
    private var versions: [Int: Int]
    private var log: [Event] = []
    private var lastID = 0
    /// The events before this one are no longer in the log.
    private var firstID = 1
    /// The next event that is sent to the stream.
    private var nextID = 1
    /// The requests without a response, with the version that the resource had when they arrived.
    private var held: [(exchange: StubExchange, number: Int, version: Int)] = []

    // The app.
    /// The newest version that each resource has shown since its last wipe.
    private var shown: [Int: Int] = [:]
    /// The most requests that the schedule may have caused.
    private(set) var permittedLoads = 0
    private(set) var mismatch: String?
    private(set) var trace: [String] = []
    private(set) var counts: [String: Int] = [:]

    init(seed: UInt64) {
        self.seed = seed
        random = SeededGenerator(seed: seed)
        live = LiveService { $0.lingerTime = 30 }
        versions = [1: 1, 2: 1, 3: 1]
        live.network.handler = { [weak self] request in self?.answer(request) }
    }

    // MARK: The server

    private func answer(_ request: URLRequest) -> StubAnswer? {
        guard let path = request.url?.path, let number = Int(path.split(separator: "/").last ?? "") else {
            return connect(request)
        }
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1, 2:
            if let exchange = live.network.exchanges.last {
                held.append((exchange, number, versions[number, default: 1]))
            }
            return .held
        case 3 where !isEnding:
            permittedLoads += 1
            return .response(503)
        default: return content(versions[number, default: 1], for: request)
        }
    }

    private func content(_ version: Int, for request: URLRequest) -> StubAnswer {
        let tag = "\"\(version)\""
        if request.value(forHTTPHeaderField: "If-None-Match") == tag { return .response(304, headers: ["ETag": tag]) }
        return .json(body(version), headers: ["ETag": tag])
    }

    private func body(_ version: Int) -> String { #"{"state":"s","count":\#(version)}"# }

    private func connect(_ request: URLRequest) -> StubAnswer {
        counts["connections", default: 0] += 1
        permittedLoads += 2 * numbers.count
        let asked = request.value(forHTTPHeaderField: "Last-Event-ID").flatMap(Int.init)
        if !isEnding, Int.random(in: 0..<8, using: &random) == 0 { return .failure(.cannotConnectToHost) }
        guard let asked, asked + 1 >= firstID, Bool.random(using: &random) || isEnding else {
            nextID = lastID + 1
            note("connected after a gap")
            return .stream()
        }
        nextID = asked + 1
        note("connected after \(asked)")
        counts["replays", default: 0] += 1
        return .stream(headers: ["Last-Event-ID": String(asked)])
    }

    /// The exchange of the stream, if it is open.
    private var stream: StubExchange? {
        live.network.exchanges.last { $0.request.url?.path == "/events" && $0.isStreaming && !$0.isCancelled }
    }

    private func write(_ number: Int) {
        let version = versions[number, default: 1] + 1
        versions[number] = version
        lastID += 1
        let update: String
        switch Int.random(in: 0..<8, using: &random) {
        case 0: (update, permittedLoads) = ("invalidate \(version) -", permittedLoads + 1)
        case 1, 2: update = #"merge \#(version) \#(version - 1) {"count":\#(version)}"#
        case 3:
            update = #"patch \#(version) \#(version - 1) [{"op":"replace","path":"/count","value":\#(version)}]"#
        case 4: (update, permittedLoads) = ("merge \(version) 999 {}", permittedLoads + 1)  // A base that nobody has
        case 5: (update, permittedLoads) = ("unreadable - -", permittedLoads + 1)
        default: update = "replace \(version) - \(body(version))"
        }
        log.append(Event(id: lastID, text: "id: \(lastID)\nevent: \(number)\ndata: \(update)\n\n"))
        note("\(number) becomes \(version): \(update)")
    }

    /// Sends some of the events that the stream has not had.
    private func deliver(_ count: Int) {
        guard let stream else { return }
        let first = max(nextID, firstID)
        guard first <= lastID else { return }
        for event in log where event.id >= first && event.id < first + count {
            note("event \(event.id) is sent")
            stream.send(event.text)
            nextID = event.id + 1
            permittedLoads += 1  // A patch may find other data than its base.
        }
    }

    /// Sends events once more that the stream has had.
    private func repeatEvents() {
        guard let stream else { return }
        counts["repeats", default: 0] += 1
        for event in log.suffix(4) where event.id < nextID { stream.send(event.text) }
        permittedLoads += 4
    }

    // MARK: The app

    private func observe(_ number: Int) {
        let owner = Owner()
        let order = live.order(number)
        resources[number] = order
        owners[number] = owner
        order.addObserver(owner: owner) { [weak self] resource, event in self?.heard(number, resource, event) }
        permittedLoads += 2
        order.loadIfNeeded()
    }

    private func heard(_ number: Int, _ resource: Resource, _ event: ResourceEvent) {
        note("\(number): \(event), shows \(resource.order?.count ?? 0), \(resource.live)")
        if let failure = violation(number, resource) { fail("\(failure), at \(event)") }
    }

    private func violation(_ number: Int, _ resource: Resource) -> String? {
        guard let count = resource.order?.count else { return nil }
        let (newest, last) = (versions[number, default: 1], shown[number, default: 0])
        shown[number] = count
        if count > newest { return "\(number) shows \(count), and the server has \(newest)" }
        return count < last ? "\(number) shows \(count) after \(last)" : nil
    }

    private func fail(_ text: String) {
        if mismatch == nil { mismatch = "Seed \(seed): \(text)\n\(trace.suffix(30).joined(separator: "\n"))" }
    }

    private func note(_ text: String) { trace.append(text) }

    // MARK: The schedule

    private var isEnding = false

    func run() async {
        observe(1)
        observe(2)
        for _ in 0..<Int.random(in: 20..<60, using: &random) {
            step()
            for _ in 0..<Int.random(in: 0..<6, using: &random) { await mainQueueTurn() }
            if mismatch != nil { return }
        }
        await rest()
        let loads = numbers.reduce(0) { $0 + live.loads(of: $1) }
        if loads > permittedLoads { fail("\(loads) loads; \(permittedLoads) are permitted") }
    }

    private func step() {
        let number = numbers.randomElement(using: &random) ?? 1
        switch Int.random(in: 0..<20, using: &random) {
        case 0...5: write(number)
        case 6...9: deliver(Int.random(in: 1...4, using: &random))
        case 10: repeatEvents()
        case 11:
            note("cut")
            if Bool.random(using: &random) { stream?.fail(.networkConnectionLost) } else { stream?.finish() }
        case 12:
            note("time")
            live.clock.advance(by: Double.random(in: 0.1...40, using: &random))
            if Bool.random(using: &random) {
                live.clock.setWallTime(live.clock.wallTime + Double.random(in: -1e6...1e6, using: &random))
            }
        case 13:
            guard let order = resources[number] else { return observe(number) }
            note("load \(number)")
            permittedLoads += 2
            order.load()
        case 14, 15: answerHeld()
        case 16:
            guard owners[number] != nil else { return observe(number) }
            note("\(number) is not observed")
            resources[number]?.removeObservers(ownedBy: owners.removeValue(forKey: number))
        case 17:
            note("\(number) is cancelled")
            permittedLoads += 2
            resources[number]?.loadRequests.forEach { $0.cancel() }
        case 18:
            note("\(number) is invalidated")
            permittedLoads += 1
            resources[number]?.invalidate()
        default:
            if Bool.random(using: &random) {
                note("the log is lost")
                (log, firstID) = ([], lastID + 1)
                nextID = firstID
                stream?.send("event: all\ndata: reset - - -\n\n")
            } else {
                note("wipe")
                permittedLoads += 2 * numbers.count
                live.service.wipeResources(includingCaches: true)
                shown = [:]
            }
        }
    }

    /// Answers a held load, in any order, with what the server had when it arrived, or has now.
    private func answerHeld() {
        guard let index = held.indices.randomElement(using: &random) else { return }
        let (exchange, number, version) = held.remove(at: index)
        let isOld = Bool.random(using: &random)
        guard !exchange.isCancelled else { return }
        // The response to a load that began later, and brings less than the server has now, may be on its way.
        let waiting = held.count { $0.number == number && !$0.exchange.isCancelled } + 1
        let isOvertaken = resources[number]?.loadRequests.count ?? 0 > waiting
        let answered = isOld || isOvertaken ? version : versions[number, default: 1]
        note("a load of \(number) brings \(answered)")
        // Loads are ordered by their beginnings: one that began later does not bring less.
        for later in held.indices where later >= index && held[later].number == number {
            held[later].version = max(held[later].version, answered)
        }
        exchange.respond(with: content(answered, for: exchange.request))
    }

    /// Lets everything end, and compares what the resources show with what the server has.
    private func rest() async {
        isEnding = true
        note("rest")
        for round in 0..<400 {
            answerHeld()
            deliver(100)
            // A stream brings data only to a resource that has been loaded.
            for (number, order) in resources where owners[number] != nil && !order.state.hasData && !order.isLoading {
                permittedLoads += 1
                order.load()
            }
            for _ in 0..<3 { await mainQueueTurn() }
            live.clock.advance(by: round % 10 == 9 ? 31 : 0.5)
            if mismatch != nil || round > 10 && isAtRest { break }
        }
        for (number, order) in resources where owners[number] != nil {
            if order.state.hasData, !order.live.isLive { fail("\(number) is \(order.live) at the end") }
            let (count, newest) = (order.order?.count, versions[number])
            if count != newest { fail("\(number) shows \(count ?? 0) at the end, and the server has \(newest ?? 0)") }
        }
    }

    private var isAtRest: Bool {
        resources.allSatisfy { number, order in
            owners[number] == nil || order.live.isLive && order.order?.count == versions[number]
        }
    }
}
