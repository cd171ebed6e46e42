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
    /// Meant for logging out. Of a cache that is partitioned, what belongs to the present principal goes; see
    /// ``EntityStorage/remove(principal:)`` for that of another. Writes that are under way do not come back: nobody
    /// sees any of it from when this is called, and ``EntityStorage/flush()`` waits until it is gone from the disk. Of
    /// other caches see ``wipeResources(includingCaches:matching:)``.
    public final func wipeResources(includingCaches: Bool) {
        Resource.wipe(context.resources, includingCaches: includingCaches)
        if includingCaches { for cache in context.rules.caches { cache.removeAll() } }
    }

    /// Wipes the resources that pass a test, and with `includingCaches` removes what persistent caches hold of them.
    ///
    /// Resources that are not in memory at the time keep their entries in the caches.
    public final func wipeResources(includingCaches: Bool, matching predicate: (Resource) -> Bool) {
        Resource.wipe(context.resources.filter(predicate), includingCaches: includingCaches)
    }
}
