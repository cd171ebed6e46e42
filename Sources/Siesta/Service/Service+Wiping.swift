public import Foundation

extension Service {
    /// Wipes all resources that pass a test, by default all resources; see ``Resource/wipe()``.
    ///
    /// Persistent caches keep their entries, and resources can get their data from there again. To log a user out, use
    /// ``wipeResources(includingCaches:)``.
    public final func wipeResources(matching predicate: (Resource) -> Bool = { _ in true }) {
        wipeResources(includingCaches: false, matching: predicate)
    }

    /// Wipes the resources that match a pattern; see ``configure(_:requestMethods:description:configurer:)``.
    public final func wipeResources(matching pattern: any ConfigurationPatternConvertible) {
        wipeResources(withURLsMatching: pattern.configurationPattern(for: self))
    }

    /// Wipes the resources whose URLs pass a test.
    public final func wipeResources(withURLsMatching predicate: (URL) -> Bool) {
        wipeResources { predicate($0.url) }
    }

    /// Wipes all resources. With `includingCaches`, also removes the entries of persistent caches, including those of
    /// resources that are not in memory, if the cache is listed in ``caches``.
    ///
    /// Use it to log a user out. After it returns, no resource shows and no cache stores data that was requested
    /// before. Running requests are cancelled, including repeated requests, chains, downloads and streams. Requests
    /// that were created before are cancelled when they start. If such a request is passed to
    /// ``Resource/load(using:)``, the load ends as cancelled.
    ///
    /// If a cache is partitioned, removes only the entries of the current principal; see
    /// ``EntityStorage/remove(principal:)`` for those of another principal. ``EntityStorage/flush()`` waits until the
    /// entries are removed from the disk.
    ///
    /// In a cache of the app's own type, removes the entries of the resources in memory. As long as the process runs,
    /// its other entries are removed when they are read, if their timestamp is before the wipe or in the future.
    public final func wipeResources(includingCaches: Bool) {
        MainQueue.check("Service.wipeResources()")
        guard includingCaches else { return Resource.wipe(context.resources, includingCaches: false) }
        context.wipeIncludingCaches()
    }

    /// Wipes the resources that pass a test. With `includingCaches`, also removes their entries from persistent caches.
    ///
    /// The caches keep the entries of resources that are not in memory.
    public final func wipeResources(includingCaches: Bool, matching predicate: (Resource) -> Bool) {
        MainQueue.check("Service.wipeResources()")
        Resource.wipe(context.resources.filter(predicate), includingCaches: includingCaches)
    }
}
