import CacheTorture
import Foundation
import Isolation
import LoopbackServer
import Siesta
import SiestaStorage
import Testing
import Waiting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Apps that are killed while they make, store and send durable changes.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct OutboxKillTests {
    @Test func `Apps that are killed lose no accepted change, apply none twice, and keep the order of each scope`()
        async throws
    {
        let folder = try TestFolder()
        let (path, log) = (folder.path + "/outbox", folder.path + "/log")
        let server = try RecordingServer()
        let port = Int(server.port)
        let rounds = Soak.count(25, full: 500)
        for _ in 0..<rounds {
            let delay = Int64.random(in: 0...400_000)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, log = log as String, port = port as Int, delay = delay as Int64] in
                try await DurableApp(path: path, log: log, port: port).run(killedAfter: delay)
            }
        }
        try await DurableApp(path: path, log: log, port: port).finish()
        let accepted = try DurableApp.accepted(log)
        let applied = server.applied
        let times = Dictionary(applied.map { ($0.key, 1) }, uniquingKeysWith: +)
        #expect(accepted.allSatisfy { times[$0.key] == 1 })
        #expect(times.values.allSatisfy { $0 == 1 })
        for scope in Set(applied.map(\.path)) {
            // The changes of one app in one scope have growing numbers. So do those of later apps.
            let numbers = applied.filter { $0.path == scope }.map(\.number)
            #expect(numbers == numbers.sorted(), "\(scope)")
        }
        #expect(accepted.count > rounds)
        Soak.report(
            "outbox: \(rounds) apps killed, \(accepted.count) changes accepted, \(server.requestCount) requests")
    }
}

/// A server that applies a change once for each `Idempotency-Key`, and sometimes loses its response.
private final class RecordingServer: Sendable {
    struct Change: Sendable {
        let key: String
        let path: String
        let number: Int
    }

    private struct State {
        var applied: [Change] = []
        var keys: Set<String> = []
        var requestCount = 0
    }

    private let server: LoopbackServer
    private let state: Locked<State>

    init() throws {
        let state = Locked(State())
        self.state = state
        server = try LoopbackServer { exchange in
            let request = exchange.request
            let number = Int(String(decoding: request.body, as: UTF8.self)) ?? -1
            let isLost = state.withLock { state in
                state.requestCount += 1
                let key = request.header("Idempotency-Key") ?? ""
                if state.keys.insert(key).inserted {
                    state.applied.append(Change(key: key, path: request.target, number: number))
                }
                return state.requestCount % 5 == 0
            }
            if isLost { exchange.close() } else { try exchange.respond(text: "\(number)") }
        }
    }

    var port: UInt16 { server.port }
    var applied: [Change] { state.withLock { $0.applied } }
    var requestCount: Int { state.withLock { $0.requestCount } }
}

/// An app that makes durable changes as fast as it can.
@MainActor
private struct DurableApp {
    let path: String
    let log: String
    let port: Int

    nonisolated init(path: String, log: String, port: Int) {
        (self.path, self.log, self.port) = (path, log, port)
    }

    private func service() -> Service {
        let service = Service(baseURL: "http://127.0.0.1:\(port)", standardTransformers: [])
        service.outbox = Outbox(at: URL(fileURLWithPath: path))
        return service
    }

    func run(killedAfter delay: Int64) async throws -> Never {
        let file = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        let service = service()
        Moment.after(.microseconds(delay)) { kill(getpid(), SIGKILL) }
        while true {
            // All apps share one clock, so that the numbers of later apps are larger.
            let number = Int(DispatchTime.now().uptimeNanoseconds)
            let counter: TypedResource<Int> = service.resource("/counters/\(number % 3)").typed()
            let change = counter.mutate(
                .post, data: Data("\(number)".utf8), contentType: "application/json",
                also: [counter.replace(by: number)], durable: true)
            guard let key = change.change.entryID else { continue }
            Task {
                try await change.change.accepted()
                let line = "\"\(key)\"\n"
                _ = write(file, line, line.utf8.count)
            }
            // Several changes at a time wait for the disk.
            if number % 4 == 0 { try? await change.change.accepted() }
            await Moment.after(.microseconds(500))
        }
    }

    /// Sends what is left.
    func finish() async throws {
        let service = service()
        await service.outbox?.isLoaded()
        try await Poll.until {
            service.outbox?.sendNow()
            return service.outbox?.entries.isEmpty ?? true
        }
    }

    nonisolated static func accepted(_ log: String) throws -> [(key: String, line: Int)] {
        try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").enumerated().map { (String($1), $0) }
    }
}
