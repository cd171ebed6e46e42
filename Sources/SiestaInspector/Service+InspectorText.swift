import Foundation
public import SiestaCore

extension Service {
    /// The state of the service as plain text for a terminal, without secrets. After a summary, the text has one line
    /// for each resource in memory, the most recently used first.
    ///
    /// ```text
    /// Service https://api.example.com/: 2 resources, 1 loading, 0 with an error
    /// fresh    34 s  1 observer   1.2 kB  https://api.example.com/users/42
    /// loading     –  0 observers       –  https://api.example.com/users
    /// ```
    ///
    /// Reading this property has no side effects: it starts no loads and reads no caches.
    public final var inspectorText: String {
        let rows = inspectedResources.reversed().map { resource in
            ResourceRow(resource.summary, id: 0, url: PreparedText.url(resource.address))
        }
        return InspectorTable(
            service: "\(type(of: self)) \(PreparedText.url(baseURL))", rows: rows, now: Date().timeIntervalSince1970
        ).text
    }
}
