import Foundation
import SiestaCore

/// One resource as the page shows it. Contains no secret.
struct ResourceRow: Sendable {
    let id: Int
    /// The URL without its secrets.
    let url: String
    /// One word: `loading`, `error`, `fresh`, `stale`, `invalidated` or `empty`.
    let state: String
    let source: String?
    /// The time at which data or error was current, in seconds since 1970; nil if there is neither.
    let time: Double?
    /// The time at which the data stops being fresh, in seconds since 1970.
    let freshUntil: Double?
    let hasData: Bool
    let observers: Int
    let requests: Int
    let size: Int?
    let type: String?
    let pendingChanges: Int
    let error: String?
    /// Whether the data follows the server: `connecting`, `live`, `reconnecting` or `not live`; nil if it does not.
    let updates: String?

    init(_ summary: ResourceSummary, id: Int, url: String) {
        let snapshot = summary.snapshot
        (self.id, self.url) = (id, url)
        state = Self.state(of: summary)
        hasData = snapshot.data != nil && !snapshot.isPlaceholder
        source = snapshot.source.map { "\($0)" }
        time = snapshot.date?.timeIntervalSince1970
        freshUntil = snapshot.freshness.freshUntil.map { min($0.timeIntervalSince1970, 1e11) }
        observers = summary.observerCount
        requests = summary.requestCount
        size = summary.size
        type = snapshot.data.map { PreparedText.line($0.contentType, limit: 100) }
        pendingChanges = snapshot.pendingChangeCount
        error = snapshot.error.map { PreparedText.error($0) }
        updates = summary.pushStatus.map(Self.updates)
    }

    private static func updates(_ status: PushStatus) -> String {
        switch status.phase {
        case .connecting, .catchingUp: status.isResuming ? "reconnecting" : "connecting"
        case .current: "live"
        case .interrupted: "reconnecting"
        case .ended: "not live"
        }
    }

    private static func state(of summary: ResourceSummary) -> String {
        let snapshot = summary.snapshot
        if snapshot.isLoading { return "loading" }
        if snapshot.error != nil { return "error" }
        guard snapshot.data != nil, !snapshot.isPlaceholder else { return "empty" }
        if summary.isInvalidated { return "invalidated" }
        return snapshot.isStale ? "stale" : "fresh"
    }

    func write(to json: inout JSONText) {
        json.object { json in
            json.member("id", id)
            json.member("url", url)
            json.member("state", state)
            json.member("source", source)
            json.member("time", time)
            json.member("until", freshUntil)
            json.member("data", ifTrue: hasData)
            json.member("observers", observers)
            json.member("requests", requests)
            json.member("size", size)
            json.member("type", type)
            json.member("pending", pendingChanges)
            json.member("error", error)
            json.member("updates", updates)
        }
    }
}
