import Foundation
import HTTPRules

extension Resource {
    /// Clears the caches of a server that has asked for that with `Clear-Site-Data`: removes the entries from persistent
    /// caches, and makes data and errors in memory stale.
    func clearCaches(of server: URL) {
        let origin = URLOrigin(server)
        for storage in context.storages { storage.storage?.removeAll(ofOrigin: origin) }
        for resource in context.resources where URLOrigin(text: resource.address) == origin {
            guard resource.state.hasData || resource.state.error != nil else { continue }
            resource.change { $0.invalidate() }
            resource.observerList?.deliverSilentChange(of: resource)
        }
    }
}
