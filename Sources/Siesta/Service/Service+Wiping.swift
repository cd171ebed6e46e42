public import Foundation

extension Service {
    /// Wipes all resources that pass a test, by default all; see ``Resource/wipe()``.
    ///
    /// What persistent caches hold comes back. To log a user out, use ``wipeResources(includingCaches:)``.
    public final func wipeResources(matching predicate: (Resource) -> Bool = { _ in true }) {
        wipeResources(includingCaches: false, matching: predicate)
    }

    /// Wipes the resources that match a pattern, as ``configure(_:requestMethods:description:configurer:)`` takes it.
    public final func wipeResources(matching pattern: any ConfigurationPatternConvertible) {
        wipeResources(withURLsMatching: pattern.configurationPattern(for: self))
    }

    /// Wipes the resources whose URLs pass a test.
    public final func wipeResources(withURLsMatching predicate: (URL) -> Bool) {
        wipeResources { predicate($0.url) }
    }

    /// Wipes all resources, and with `includingCaches` removes what persistent caches hold: also of resources that are
    /// not in memory, as far as the caches are listed in ``caches``.
    ///
    /// Meant for logging out. When this returns, nothing that was requested before is ever shown by a resource or stored
    /// in a cache. Requests that are running are cancelled, and so are, when they start, those that were made before;
    /// repeated requests, chains, downloads and streams included. If such a request is passed to
    /// ``Resource/load(using:)``, the load ends as cancelled.
    ///
    /// Of a cache that is partitioned, removes what belongs to the present principal; see
    /// ``EntityStorage/remove(principal:)`` for that of another. ``EntityStorage/flush()`` waits until it is gone from
    /// the disk. Of a cache that is not the library's, removes the entries of the resources in memory. Its other
    /// entries are removed when they are found, as long as the app runs: those with a timestamp before the wipe or in
    /// the future.
    public final func wipeResources(includingCaches: Bool) {
        MainQueue.check("Service.wipeResources()")
        guard includingCaches else { return Resource.wipe(context.resources, includingCaches: false) }
        context.wipeIncludingCaches()
    }

    /// Wipes the resources that pass a test, and with `includingCaches` removes what persistent caches hold of them.
    ///
    /// Resources that are not in memory at the time keep their entries in the caches.
    public final func wipeResources(includingCaches: Bool, matching predicate: (Resource) -> Bool) {
        MainQueue.check("Service.wipeResources()")
        Resource.wipe(context.resources.filter(predicate), includingCaches: includingCaches)
    }
}
