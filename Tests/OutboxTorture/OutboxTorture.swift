import CacheTorture
import Foundation
import SiestaCaches
import SiestaCore
package import SiestaOutboxStorage
import SiestaWriting

/// Changes an outbox as fast as it can, and logs each stored change.
package struct OutboxTorture {
    private let log: String
    private let files: String
    private let store: @Sendable () -> RecordOutboxStore

    /// - Parameter files: The path of the folder with the bodies.
    package init(log: String, files: String, _ store: @escaping @Sendable () -> RecordOutboxStore) {
        (self.log, self.files, self.store) = (log, files, store)
    }

    // MARK: The process that is killed

    /// Changes the outbox until the process is killed. That happens `delay` microseconds after so many new entries.
    package func run(seed: UInt64, entries: Int, then delay: Int64) async throws -> Never {
        let file = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        var random = SeededGenerator(seed: seed)
        let store = store()
        var rules = OutboxRules(try await store.load().entries)
        var ids = Set(rules.entries.map(\.id))
        let end = PlannedKill(after: entries, delay: delay)
        while true {
            let step = try await change(&rules, store, &random)
            guard let step, let entry = step.entry else { continue }
            let isEnd = step.changes.contains(.remove(id: entry.id))
            if isEnd { note("ending \(entry.id)", file) }
            try await store.apply(step.changes)
            rules.stored(step)
            note(isEnd ? "ended \(entry.id)" : "stored \(entry.id) \(Self.rank(of: entry))", file)
            if ids.insert(entry.id).inserted { end.step() }
        }
    }

    private func change(
        _ rules: inout OutboxRules, _ store: RecordOutboxStore, _ random: inout SeededGenerator
    ) async throws -> OutboxStep? {
        let sending = rules.entries.filter { $0.state == .sending }
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4:
            let id = UUID().uuidString
            let scope = "\(Int.random(in: 0..<20, using: &random))"
            let principal: String? = Bool.random(using: &random) ? "ada" : nil
            let body = try await store.keep(Self.content(of: id))
            return try rules.accept(
                Outbox.Entry(
                    id: id, scope: scope, principal: principal,
                    request: Outbox.StoredRequest(method: "PUT", address: .url("https://api.test/\(id)"), body: body)))
        case 4..<7:
            let next = rules.next(for: Bool.random(using: &random) ? "ada" : nil, isConnected: true)
            return try next.map { entry in try rules.started(entry.id) }
        case 7..<9:
            guard let id = sending.randomElement(using: &random)?.id else { return nil }
            let outcomes: [OutboxRules.Outcome] = [
                .success(location: nil), .success(location: nil), .noResponse, .status(400, message: "No"),
            ]
            return rules.ended(id, outcomes.randomElement(using: &random) ?? .noResponse)
        default:
            guard let id = rules.entries.first(where: \.state.needsDecision)?.id else { return nil }
            return try rules.drop(id)
        }
    }

    /// Writes with one system call, so that the log contains the whole line or nothing of it.
    private func note(_ line: String, _ file: CInt) {
        _ = write(file, line + "\n", line.utf8.count + 1)
    }

    /// A number that grows with every change of an entry.
    private static func rank(of entry: Outbox.Entry) -> Int {
        let state =
            switch entry.state {
            case .sending: 1
            case .queued: 2
            case .refused, .conflict, .confirmed: 3
            }
        return entry.attempts * 4 + state
    }

    private static func content(of id: String) -> Data {
        let length = id.utf8.reduce(0) { $0 &* 31 &+ Int($1) } & 0xFFF
        return Data(repeating: id.utf8.first ?? 0, count: length)
    }

    // MARK: The process that checks

    package struct Promise {
        var rank = 0
        var mayBeGone = false
        package var isGone = false
    }

    package func promises() throws -> [String: Promise] {
        var promises: [String: Promise] = [:]
        for line in try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            switch words[0] {
            case "stored": promises[words[1], default: Promise()].rank = Int(words[2]) ?? 0
            case "ending": promises[words[1], default: Promise()].mayBeGone = true
            default: promises[words[1], default: Promise()].isGone = true
            }
        }
        return promises
    }

    package func brokenPromises() async throws -> [String] {
        guard FileManager.default.fileExists(atPath: log) else { return [] }
        let store = store()
        let contents = try await store.load()
        var broken = contents.unreadable == 0 ? [] : ["\(contents.unreadable) entries cannot be read"]
        let entries = Dictionary(uniqueKeysWithValues: contents.entries.map { ($0.id, $0) })
        for (id, promise) in try promises() {
            guard let entry = entries[id] else {
                if !promise.mayBeGone { broken.append("\(id) is lost") }
                continue
            }
            if promise.isGone { broken.append("\(id) is back") }
            if Self.rank(of: entry) < promise.rank { broken.append("\(id) is in an earlier state") }
            if try await content(of: entry, store) != Self.content(of: id) { broken.append("\(id) has another body") }
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: files)
        let used = Set(contents.entries.compactMap(\.request.body.keptName))
        if Set(files) != used { broken.append("there are \(files.count) files for \(used.count) entries") }
        return broken
    }

    private func content(of entry: Outbox.Entry, _ store: RecordOutboxStore) async throws -> Data {
        switch entry.request.body {
        case .bytes(let data): return data
        case .kept(let name, _):
            var all = Data()
            for try await piece in store.pieces(of: name) { all += piece }
            return all
        case .none, .referenced: return Data()
        }
    }
}
