import Foundation
import SiestaCore
import SiestaWriting

extension Outbox.Entry {
    /// An entry with few parts. All samples of the tests are made at the same time.
    static func sample(
        _ id: String, scope: String = "a", principal: String? = nil, dependency: String? = nil, method: String = "POST",
        address: Outbox.Address = .url("https://api.test/items"), body: Outbox.Body = .none
    ) -> Outbox.Entry {
        Outbox.Entry(
            id: id, scope: scope, principal: principal, creationTime: .sample, dependency: dependency,
            request: Outbox.StoredRequest(method: method, address: address, body: body))
    }

    /// An entry in which every part has a value.
    static let full = {
        var entry = Outbox.Entry(
            id: "full", scope: "naïve ✓", principal: "ada", creationTime: .sample, dependency: "creation",
            request: Outbox.StoredRequest(
                method: "PATCH", address: .created(by: "creation", path: "comments"),
                headers: ["X-Trace": "1", "Prefer": "return=minimal"], contentType: "application/json",
                body: .bytes(Data("{\"name\":\"Grace\"}".utf8)),
                precondition: Outbox.Condition(
                    ifMatch: "\"1\"", ifUnmodifiedSince: "Wed, 25 Nov 2026 12:00:00 GMT", ifNoneMatch: "*")),
            edits: [
                Outbox.StoredEdit(address: .url("https://api.test/list"), delta: Data([1, 2, 3])),
                Outbox.StoredEdit(address: .created(by: "creation", path: ""), delta: Data()),
            ], settlement: 2)
        (entry.number, entry.attempts, entry.state) = (77, 3, .refused(status: 422, message: "Too short"))
        (entry.waitsSince, entry.idempotencyKey) = (.sample + 5.5, "another key")
        entry.formerConditions = [Outbox.Condition(ifMatch: "\"0\""), Outbox.Condition(ifUnmodifiedSince: "never")]
        return entry
    }()
}

extension Date {
    static let sample = Date(timeIntervalSinceReferenceDate: 800_000_000.25)
}

extension OutboxRules {
    /// Accepts an entry whose step is stored at once.
    mutating func take(_ entry: Outbox.Entry) throws {
        stored(try accept(entry))
    }

    /// Starts the next entry and stores the step. Returns its identity; nil if nothing can be sent.
    mutating func send(for principal: String? = nil) throws -> String? {
        guard let id = next(for: principal, isConnected: true)?.id else { return nil }
        stored(try started(id))
        return id
    }

    /// Ends the attempt and stores the step.
    @discardableResult
    mutating func end(
        _ id: String, _ outcome: Outcome, version: Outbox.Condition? = nil
    ) -> [OutboxStoreChange] {
        let step = ended(id, outcome, version: version)
        stored(step)
        return step.changes
    }
}
