/// The treatment of loads that are running when a resource is loaded again.
public enum LoadOverlap: Sendable {
    /// Starts no load if a load is running. The callers share the load that started first. Loads that began before an
    /// invalidation of dependent data do not count; see ``Service/invalidate(tagged:)-(String)``.
    ///
    /// If this load waits for a persistent cache, it ends without the network if the cache has fresh data; see
    /// ``Resource/loadIfNeeded()``.
    case join

    /// Cancels the running loads, and then starts a new load. This includes loads by ``Resource/load(using:)``. Their
    /// callers receive a cancellation. If one of their hooks starts a load, joins this load.
    case replace

    /// Starts a load in addition to the running loads, as ``Resource/load()`` does.
    case parallel
}
