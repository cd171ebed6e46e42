public import Foundation

extension Service {
    /// Wipes all resources that pass a test, by default all; see ``Resource/wipe()``.
    ///
    /// What persistent caches hold comes back. To log a user out, use ``wipeResources(includingCaches:matching:)``.
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

    /// Wipes the resources that pass a test, and with `includingCaches` removes what persistent caches hold of them.
    ///
    /// Meant for logging out. Resources that are not in memory at the time keep their entries in the caches: give those keys that
    /// depend on the user.
    public final func wipeResources(includingCaches: Bool, matching predicate: (Resource) -> Bool = { _ in true }) {
        Resource.wipe(context.resources.filter(predicate), includingCaches: includingCaches)
    }
}
