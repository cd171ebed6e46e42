public import Foundation

extension Service {
    /// Wipes the resources that pass a test, or all resources by default; see ``Resource/wipe()``.
    ///
    /// Persistent caches keep their entities, and resources can get their data from the caches again. To sign a user
    /// out, use ``wipeResources(includingCaches:)``.
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

    /// Wipes all resources. If `includingCaches` is true, also removes the entities from persistent caches. From the
    /// caches in `Service.caches`, this method also removes the entities of resources that are not in memory.
    ///
    /// Use this method to sign a user out. After this method returns, no resource shows the response to an earlier
    /// request, and no cache stores such a response. Running requests are cancelled, including repeated requests,
    /// chains, downloads and streams. Requests that were created before the call, but not started, are cancelled when
    /// they start. If such a request is passed to ``Resource/load(using:)``, the load is cancelled.
    ///
    /// If a cache is partitioned, this method removes only the entities of the current principal. To remove the
    /// entities of another principal, call `CacheStorage.remove(principal:)`. `CacheStorage.flush()` waits until the
    /// entities are removed from disk.
    ///
    /// If the app implements a cache itself, this method immediately removes only the entities of the resources in
    /// memory. Other entities stay in the cache until the service reads them. It then removes an entity if its
    /// timestamp is before the wipe or in the future.
    public final func wipeResources(includingCaches: Bool) {
        MainQueue.check("Service.wipeResources()")
        guard includingCaches else { return Resource.wipe(context.resources, .memory) }
        context.wipeIncludingCaches()
    }

    /// Wipes the resources that pass a test. If `includingCaches` is true, also removes their entities from persistent
    /// caches.
    ///
    /// Entities of resources that are not in memory stay in the caches.
    public final func wipeResources(includingCaches: Bool, matching predicate: (Resource) -> Bool) {
        MainQueue.check("Service.wipeResources()")
        Resource.wipe(context.resources.filter(predicate), includingCaches ? .caches : .memory)
    }
}
