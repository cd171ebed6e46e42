import Foundation
import SiestaCore
import SiestaRetrying

/// The rows that a page receives: all of them, or those that have changed. Pure.
struct InspectorSnapshot: Sendable {
    private var summaries: [(number: Int, summary: ResourceSummary?)]
    private let limits: [String: OriginSummary]
    /// The resources whose rows are written. The rows are made outside the lock of the model, because the descriptions of
    /// errors are code of the app.
    private var resources: [(number: Int, url: String, summary: ResourceSummary)] = []
    private var removed: [Int] = []
    private var requests: [RequestRow] = []
    private var caches: [CacheRow] = []
    private var origins: [OriginRow] = []
    private var log: [LogRow] = []

    /// - Parameters:
    ///   - summaries: the states of the resources that have changed; nil for a resource that the service has dropped.
    ///   - origins: the limits of origins.
    init(_ summaries: [(Int, ResourceSummary?)], _ origins: [OriginSummary]) {
        self.summaries = summaries
        limits = Dictionary(origins.map { ($0.name, $0) }) { first, _ in first }
    }

    /// Takes the rows that have changed. Forgets the dropped resources.
    mutating func select(_ changes: InspectorModel.Changes, from model: inout InspectorModel) {
        for (number, summary) in summaries {
            guard let summary, let url = model.addresses[number]?.url else {
                model.forget(number)
                removed.append(number)
                continue
            }
            resources.append((number, url, summary))
        }
        requests = changes.requests.sorted().compactMap { model.requests[$0] }
        caches = model.caches.values.filter { changes.caches.contains($0.id) }
        take(changes.origins.compactMap { model.origins[$0] })
        log = changes.log
    }

    /// Takes all rows. The resources that are not in the list are forgotten.
    mutating func selectAll(from model: inout InspectorModel, _ all: [ResourceSummary]) {
        let current = Set(all.map(\.address))
        for (number, entry) in model.addresses where !current.contains(entry.address) { model.forget(number) }
        resources = all.map { summary in
            let number = model.number(of: summary.address)
            return (number, model.addresses[number]?.url ?? "", summary)
        }
        requests = model.requestOrder.suffix(InspectorModel.requestLimit).compactMap { model.requests[$0] }
        caches = Array(model.caches.values)
        take(Array(model.origins.values))
        log = model.log.suffix(InspectorModel.logLimit)
    }

    private mutating func take(_ rows: [OriginRow]) {
        origins = rows.map { row in
            var row = row
            row.limits = limits[row.name]
            return row
        }
    }

    /// Returns the rows as JSON on one line. `body` writes further members.
    func json(_ body: (inout JSONText) -> Void = { _ in }) -> [UInt8] {
        var json = JSONText()
        json.object { json in
            json.member("now", Date().timeIntervalSince1970)
            json.member("resources", resources) { row, json in
                ResourceRow(row.summary, id: row.number, url: row.url).write(to: &json)
            }
            json.member("removed", removed) { $1.value($0) }
            json.member("requests", requests) { $0.write(to: &$1) }
            json.member("caches", caches) { $0.write(to: &$1) }
            json.member("origins", origins) { $0.write(to: &$1) }
            json.member("log", log) { $0.write(to: &$1) }
            body(&json)
        }
        return json.bytes
    }
}
