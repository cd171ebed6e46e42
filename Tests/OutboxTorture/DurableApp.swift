package import CacheTorture
import Foundation
import SiestaCore
package import SiestaWriting
import Waiting

/// An app that makes durable changes as fast as it can.
@MainActor
package struct DurableApp {
    private let log: String
    private let port: Int
    private let outbox: @MainActor @Sendable () -> Outbox

    /// - Parameters:
    ///   - log: The path of the file to which the app writes the keys of accepted changes.
    ///   - port: The port of a ``RecordingServer``.
    ///   - outbox: Opens the outbox.
    package nonisolated init(log: String, port: Int, _ outbox: @escaping @MainActor @Sendable () -> Outbox) {
        (self.log, self.port, self.outbox) = (log, port, outbox)
    }

    private func service() -> Service {
        let service = Service(baseURL: "http://127.0.0.1:\(port)", standardTransformers: [])
        service.outbox = outbox()
        return service
    }

    /// Makes changes until the process is killed. That happens `delay` microseconds after so many accepted changes.
    package func run(changes: Int, then delay: Int64) async throws -> Never {
        let file = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        let service = service()
        let end = PlannedKill(after: changes, delay: delay)
        while true {
            // All apps share one clock, so that the numbers of later apps are larger.
            let number = Int(DispatchTime.now().uptimeNanoseconds)
            let counter: TypedResource<Int> = service.resource("/counters/\(number % 3)").typed()
            let change = counter.mutate(
                .post, body: .data(Data("\(number)".utf8), contentType: "application/json"),
                also: [counter.replace(by: number)], durable: true)
            guard let key = change.entryID else { continue }
            Task {
                try await change.accepted()
                let line = "\"\(key)\"\n"
                _ = write(file, line, line.utf8.count)
                end.step()
            }
            // Several changes at a time wait for the disk.
            if number % 4 == 0 { try? await change.accepted() }
            await Moment.after(.microseconds(500))
        }
    }

    /// Sends what is left.
    package func finish() async throws {
        let service = service()
        await service.outbox?.isLoaded()
        try await Poll.until {
            service.outbox?.sendNow()
            return service.outbox?.entries.isEmpty ?? true
        }
    }

    /// Returns the ways in which the server's changes break the promises of the outbox, and the number of accepted
    /// changes.
    package nonisolated func brokenPromises(_ applied: [RecordingServer.Change]) throws -> (
        broken: [String], accepted: Int
    ) {
        let accepted = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map(String.init)
        let times = Dictionary(applied.map { ($0.key, 1) }, uniquingKeysWith: +)
        var broken = accepted.filter { times[$0] == nil }.map { "\($0) is lost" }
        broken += times.filter { $0.value > 1 }.map { "\($0.key) was applied \($0.value) times" }
        for scope in Set(applied.map(\.path)) {
            // The changes of one app in one scope have growing numbers. So do those of later apps.
            let numbers = applied.filter { $0.path == scope }.map(\.number)
            if numbers != numbers.sorted() { broken.append("\(scope) is out of order") }
        }
        return (broken, accepted.count)
    }
}
