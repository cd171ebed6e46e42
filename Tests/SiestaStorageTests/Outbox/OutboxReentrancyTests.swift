import CacheTorture
import Foundation
import Observation
import SiestaCore
import SiestaTesting
import TestKit
import Testing

@testable import SiestaCaches
@testable import SiestaOutboxStorage
@testable import SiestaSessions
@testable import SiestaWriting

/// Apps that use the outbox in each closure that it calls.
@MainActor @Suite(.timeLimit(.model))
struct OutboxReentrancyTests {
    @Test(arguments: TestSeed.cases(TestLevel.count(4, nightly: 40, soak: 400)))
    func `Code of the app may do anything in any closure`(seed: UInt64) async throws {
        let app = try await RestlessApp(seed: seed)
        for _ in 0..<30 {
            app.act()
            if app.chance(50) { await Task.yield() }
        }
        try await app.end()
    }
}

/// An app that does something unexpected in each closure, a limited number of times.
@MainActor
private final class RestlessApp {
    private let app = RestartedApp()
    private let network = StubNetwork()
    private let session: UserSession
    private var service: Service
    private var random: SeededGenerator
    private var users: [TypedResource<DurableUser>] = []
    private var changes: [PendingChange] = []
    private var left = 0
    private var depth = 0
    private var tasks: [Task<Void, Never>] = []

    init(seed: UInt64) async throws {
        random = SeededGenerator(seed: seed)
        session = app.clock.whileCurrent { UserSession(BearerToken()) }
        service = app.start(network, .inMemory()) { [session] in $0.authenticate(sharing: session) }
        try await session.signIn("ada", with: Credential("A"))
        for id in 1...3 {
            let user = try await app.loaded(service, network, id)
            users.append(user)
            user.resource.addObserver(owner: self) { [weak self] _, _ in self?.maybeAct() }
            for method in [RequestMethod.patch, .put] {
                network.answer(
                    method, "/users/\(id)", with: answer(), answer(), answer(), answer(), .response(503), answer())
            }
        }
        left = 120
        service.resolveConflicts("/users/*", as: DurableUser.self) { [weak self] conflict in
            self?.maybeAct()
            await Task.yield()
            self?.maybeAct()
            guard let self, !self.chance(40) else { return .giveUp }
            return self.chance(50) ? .force : .send(conflict.theirs ?? DurableUser())
        }
    }

    func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    private func answer() -> StubAnswer {
        [
            .json(#"{"name": "Server", "stars": 1}"#, headers: ["ETag": "\"2\""]), .response(204), .response(412),
            .response(409), .response(422), .response(503), .failure(.networkConnectionLost), .response(401),
        ].randomElement(using: &random)!
    }

    private func maybeAct() {
        guard depth < 3, chance(40) else { return }
        act()
    }

    /// Does something.
    func act() {
        guard left > 0 else { return }
        left -= 1
        depth += 1
        defer { depth -= 1 }
        switch Int.random(in: 0..<22, using: &random) {
        case 0..<7: mutate()
        case 7: changes.randomElement(using: &random)?.cancel()
        case 8..<12: decide()
        case 12: service.outbox = nil
        case 13: service.outbox = .inMemory()
        case 14: service.wipeResources()
        case 15: users.randomElement(using: &random)?.resource.wipe()
        case 16: sign()
        case 17: app.connection.isConnected.toggle()
        case 18: app.clock.advance(by: 5)
        case 19: observe()
        case 20: service.outbox?.sendNow()
        default: users.randomElement(using: &random)?.resource.load()
        }
    }

    private func mutate() {
        guard let user = users.randomElement(using: &random) else { return }
        var options = ChangeOptions()
        options.settlement = chance(50) ? .reload : .edit
        if chance(30) { options.precondition = .unchanged }
        let change = user.mutate(
            chance(50) ? .patch : .put, body: .encoded(["name": "x"]), also: [users[0].edit { $0.stars += 1 }],
            options: options,
            durable: chance(80)
        ) { [weak self] user in
            user.name = "x"
            self?.maybeAct()
        }
        changes.append(change)
        change.request.onCompletion { [weak self] _ in self?.maybeAct() }
    }

    private func decide() {
        guard let outbox = service.outbox, let id = outbox.entries.randomElement(using: &random)?.id else { return }
        let kind = Int.random(in: 0..<3, using: &random)
        tasks.append(
            Task {
                switch kind {
                case 0: try? await outbox.drop(id)
                case 1: try? await outbox.retry(id)
                default:
                    try? await outbox.edit(id) { request in
                        self.maybeAct()
                        request.body = .bytes(Data("{}".utf8))
                    }
                }
                self.maybeAct()
            })
    }

    private func sign() {
        let isOut = chance(50)
        let name = chance(50) ? "ada" : "bob"
        tasks.append(
            Task { [session] in
                if isOut { await session.signOut() } else { try? await session.signIn(name, with: Credential(name)) }
            })
    }

    private func observe() {
        guard let outbox = service.outbox else { return }
        withObservationTracking {
            _ = outbox.entries
        } onChange: {
            MainActor.assumeIsolated { self.maybeAct() }
        }
    }

    /// Waits for everything, and checks that nothing is left.
    func end() async throws {
        left = 0
        for task in tasks { await task.value }
        app.connection.isConnected = true
        for _ in 0..<20 {
            await service.outbox?.settled()
            app.clock.advance(by: 100)
        }
        for change in changes where !change.state.needsDecision { change.cancel() }
        await service.outbox?.settled()
        app.connection.isConnected = false
        let own = service.outbox?.entries.filter { $0.principal == session.currentPrincipal } ?? []
        for entry in own where !entry.state.needsDecision && entry.attempts == 0 {
            #expect(service.outbox?.obstacle(for: entry.id) != nil, "\(entry)")
        }
        for entry in own { try await service.outbox?.drop(entry.id) }
        #expect(service.outbox?.entries.contains { $0.principal == session.currentPrincipal } != true)
        await service.outbox?.close()
        #expect(service.context.changes?.illegalStep == nil)
        for user in users {
            #expect(!user.resource.isOptimistic, "\(user.resource.pendingChanges.map { ($0.state, $0.entryID) })")
        }
    }
}

extension PendingChange.State {
    fileprivate var needsDecision: Bool {
        switch self {
        case .refused, .conflict: true
        default: false
        }
    }
}
