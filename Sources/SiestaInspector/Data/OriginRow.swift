import Foundation
import SiestaCore
import SiestaRetrying

/// One origin: the requests that the inspector has seen, and the limits that the service knows.
struct OriginRow: Sendable {
    let name: String
    var requests = 0
    var running = 0
    var failures = 0
    var retries = 0
    var waits = 0
    var lastStatus: Int?
    var lastFailure: String?
    var limits: OriginSummary?

    mutating func note(_ end: ActivityEvent.RequestEnd) {
        running = max(0, running - 1)
        lastStatus = end.status ?? lastStatus
        guard end.outcome == .failure else { return }
        failures += 1
        lastFailure = end.failure.map { PreparedText.line($0, limit: 500) }
    }

    func write(to json: inout JSONText) {
        json.object { json in
            json.member("id", name)
            json.member("requests", requests)
            json.member("running", running)
            json.member("failures", failures)
            json.member("retries", retries)
            json.member("waits", waits)
            json.member("status", lastStatus)
            json.member("failure", lastFailure)
            json.member("paced", limits?.running)
            json.member("closed", limits?.closedFor)
            json.member("paused", limits?.pausedFor)
        }
    }
}
