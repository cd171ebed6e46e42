import Foundation
import Siesta

/// The rows that a page receives: all of them, or those that have changed. Pure.
struct InspectorSnapshot: Sendable {
    private var summaries: [(number: Int, summary: ResourceSummary?)]
    private let limits: [String: OriginSummary]
    private var resources: [ResourceRow] = []
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
            resources.append(ResourceRow(summary, id: number, url: url))
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
            return ResourceRow(summary, id: number, url: model.addresses[number]?.url ?? "")
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
            json.member("resources", resources) { $0.write(to: &$1) }
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
