import CacheTorture
import Dispatch
import Foundation
import SiestaCaches
import SiestaCore
import SiestaSessions
import SiestaTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
import TestDoubles
#endif

/// A random schedule of requests, refusals, refreshes, cancellations and changes of the user, which is compared with the
/// rules of sessions.
///
/// Tokens have the form `user-number`. The server accepts the tokens that no step has revoked. Its responses name the
/// user of the token.
@MainActor
final class SessionModel {
    let seed: UInt64
    var mismatch: String?
    private(set) var repetitionCount = 0
    private(set) var switchCount = 0
    private(set) var steps: [String] = []
    private var generator: SeededGenerator
    private let clock = TestClock()
    private let network = StubNetwork()
    private let authenticator = ManualAuthenticator()
    private let service: Service
    private let cache: PersistentCache
    private let paths = ["/a", "/b", "/public/c"]
    private var tokenCount = 0
    private var revoked: Set<String> = []
    private var principal: String?
    private var requests: [(request: any Request, completions: Counter)] = []
    private var refreshTimes: [TimeInterval] = []
    private var refreshCount = 0
    private var changes: [Task<Void, Never>] = []

    private final class Counter {
        var value = 0
    }

    init(seed: UInt64) {
        self.seed = seed
        generator = SeededGenerator(seed: seed)
        let (network, authenticator) = (network, authenticator)
        let cache = PersistentCache(MemoryRecordStore())
        self.cache = cache
        service = clock.whileCurrent {
            let service = Service(baseURL: "https://api.test", standardTransformers: [], networking: network)
            service.configure {
                $0.pipeline[.rawData].cacheUsing(cache)
                $0.progressReportingInterval = 1_000_000
            }
            service.configure("/public/**") { $0.isPersonal = false }
            service.authenticate(with: authenticator)
            return service
        }
        service.configure { $0.mutateRequests { [weak self] in self?.sign(&$0) } }
        network.handler = { [weak self] in
            self?.note($0)
            return .held
        }
    }

    private func pick<Value>(_ values: [Value]) -> Value { values[Int(generator.next() % UInt64(values.count))] }

    private func fail(_ message: String) {
        guard mismatch == nil else { return }
        mismatch = "seed \(seed): \(message)\nafter: \(steps.suffix(40).joined(separator: " "))"
    }

    private func user(of token: String?) -> String? { token.map { String($0.prefix { $0 != "-" }) } }

    private func newToken(for user: String) -> String {
        tokenCount += 1
        return "\(user)-\(tokenCount)"
    }

    /// Names the user who is signed in when a request is made.
    private func sign(_ request: inout URLRequest) {
        request.setValue(principal ?? "nobody", forHTTPHeaderField: "X-User")
    }

    // MARK: Steps

    func step() {
        guard mismatch == nil else { return }
        switch generator.next() % 24 {
        case 0...4: load(pick(paths))
        case 5: post(pick(paths))
        case 6...12: answer()
        case 13...15: endRefresh()
        case 16: revoke()
        case 17: cancel()
        case 18: signIn(pick(["ada", "bob"]))
        case 19: signOut()
        case 20: read(pick(paths))
        default: advance()
        }
        check()
    }

    private func load(_ path: String) {
        steps.append("load\(path)")
        keep(service.resource(path).load())
    }

    private func post(_ path: String) {
        steps.append("post\(path)")
        keep(service.resource(path).request(.post))
    }

    private func keep(_ request: any Request) {
        guard !requests.contains(where: { $0.request === request }) else { return }
        let counter = Counter()
        request.onCompletion { _ in counter.value += 1 }
        requests.append((request, counter))
    }

    private func answer() {
        let open = network.exchanges.filter { !$0.isCompleted }
        guard let exchange = open.randomElement(using: &generator) else { return }
        answer(exchange)
    }

    private func answer(_ exchange: StubExchange) {
        let token = SigningService.token(of: exchange.request)
        let isAccepted = token.map { !revoked.contains($0) } ?? false
        steps.append("\(isAccepted ? "200" : "401")→\(token ?? "nobody")")
        exchange.respond(with: isAccepted ? .text("data of \(user(of: token) ?? "")") : .response(401))
    }

    private func endRefresh() {
        guard authenticator.openCount > 0, let old = authenticator.refreshed.last else { return }
        let kind = generator.next() % 6
        steps.append("refresh\(kind)")
        switch kind {
        case 0: authenticator.end(.failure(URLError(.timedOut)))
        case 1: authenticator.end(.failure(SessionExpired(reason: "invalid_grant")))
        default: authenticator.end(.success(Credential(newToken(for: user(of: old.secret) ?? ""))))
        }
    }

    private func revoke() {
        let tokens = Set(network.requests.compactMap(SigningService.token)).subtracting(revoked)
        guard let token = tokens.sorted().randomElement(using: &generator) else { return }
        steps.append("revoke \(token)")
        revoked.insert(token)
    }

    private func cancel() {
        guard let some = requests.randomElement(using: &generator) else { return }
        steps.append("cancel")
        some.request.cancel()
    }

    private func signIn(_ user: String) {
        var token = newToken(for: user)
        if generator.next() % 3 == 0 {
            token += "x"
            revoked.insert(token)
        }
        steps.append("sign in \(token)")
        if principal != user { switchCount += 1 }
        principal = user
        refreshTimes = []
        // With a store in memory, the sign-in takes effect before the first suspension.
        changes.append(Task.immediate { [service] in try? await service.signIn(user, with: Credential(token)) })
    }

    private func signOut() {
        steps.append("sign out")
        principal = nil
        refreshTimes = []
        changes.append(Task.immediate { [service] in await service.signOut() })
    }

    private func read(_ path: String) {
        _ = service.resource(path).latestData
    }

    private func advance() {
        let seconds = pick([0.1, 5, 40])
        steps.append("+\(seconds)")
        clock.advance(by: seconds)
    }

    // MARK: Checking

    private func isPersonal(_ path: String) -> Bool { !path.hasPrefix("/public") }

    /// Checks a request that reaches the network.
    private func note(_ request: URLRequest) {
        let token = SigningService.token(of: request)
        let maker = request.value(forHTTPHeaderField: "X-User")
        if isPersonal(request.url?.path ?? ""), maker != principal ?? "nobody" {
            fail("A request of \(maker ?? "") was sent while \(principal ?? "nobody") is signed in")
        }
        if case .expired = service.session?.state, token == nil, !isPersonal(request.url?.path ?? "") { return }
        if user(of: token) != principal {
            fail("\(token ?? "nobody") was sent while \(principal ?? "nobody") is signed in")
        }
        if service.session?.state == .refreshing { fail("A request was sent during a refresh") }
        if case .expired = service.session?.state { fail("A request was sent after the session had expired") }
    }

    /// Checks all rules that hold at any time.
    func check() {
        if service.principal != principal { fail("\(service.principal ?? "nobody") is signed in") }
        if authenticator.greatestRunningCount > 1 { fail("two refreshes at once") }
        for path in paths where isPersonal(path) {
            let data = service.resource(path).latestData?.content as? Data
            guard let data else { continue }
            let text = String(decoding: data, as: UTF8.self)
            if text != "data of \(principal ?? "")" { fail("\(path) shows \(text) to \(principal ?? "nobody")") }
        }
        for (request, counter) in requests where counter.value > 1 || counter.value == 1 && !request.isCompleted {
            fail("the hook of a request ran \(counter.value) times")
        }
    }

    /// Waits until no work of the models is in progress that no step determines. The models share the turns of the main
    /// queue.
    static func settle(_ models: [SessionModel]) async {
        for model in models {
            for change in model.changes { await change.value }
            model.changes = []
        }
        await mainQueueTurn()
        // Responses pass through a global queue to the main queue. It begins its blocks in order.
        for _ in 0..<2 {
            await withCheckedContinuation { continuation in
                DispatchQueue.global(qos: .userInitiated).async { continuation.resume() }
            }
            await mainQueueTurn()
        }
        while models.contains(where: \.isBusy) { await mainQueueTurn() }
        await mainQueueTurn()
        for model in models { model.noteRefreshes() }
    }

    /// True if a refresh is about to begin or to end.
    private var isBusy: Bool {
        let isRunning = authenticator.runningCount > authenticator.openCount
        return isRunning || service.session?.state == .refreshing && authenticator.openCount == 0
    }

    /// Counts the refreshes that have begun in the last 30 seconds.
    private func noteRefreshes() {
        let count = authenticator.refreshed.count
        let now = clock.clock.monotonicTime
        refreshTimes = refreshTimes.filter { $0 > now - 30 } + Array(repeating: now, count: count - refreshCount)
        refreshCount = count
        if refreshTimes.count > 5 { fail("\(refreshTimes.count) refreshes in 30 s") }
    }

    /// Lets everything end well.
    func finish() {
        guard mismatch == nil else { return }
        steps.append("finish")
        if authenticator.openCount > 0, let old = authenticator.refreshed.last {
            authenticator.end(.success(Credential(newToken(for: user(of: old.secret) ?? ""))))
        }
        let open = network.exchanges.filter { !$0.isCompleted }
        for exchange in open { answer(exchange) }
        // The limit may hold back the refresh for which requests wait.
        if open.isEmpty, authenticator.openCount == 0 { clock.advance(by: 30) }
        check()
    }

    var isDone: Bool {
        mismatch != nil || requests.allSatisfy { $0.request.isCompleted } && authenticator.openCount == 0
    }

    func checkEnd() async {
        for (index, (request, counter)) in requests.enumerated() where !request.isCompleted || counter.value != 1 {
            fail("request \(index) is \(request.state), and its hook ran \(counter.value) times")
        }
        let sent = network.requests.compactMap(SigningService.token)
        repetitionCount = sent.count - requests.count
        for user in ["ada", "bob"] {
            try? await service.signIn(user, with: Credential(newToken(for: user)))
            for path in paths where isPersonal(path) {
                let stored = await cache.entity(for: service.resource(path))?.content as? Data
                if let stored, stored != Data("data of \(user)".utf8) { fail("the cache has foreign data for \(user)") }
            }
        }
    }
}
