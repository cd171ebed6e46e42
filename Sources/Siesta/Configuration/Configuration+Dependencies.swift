extension Configuration {
    /// The tags of a resource. An invalidation of a tag makes all resources with this tag stale; see ``invalidates`` and
    /// ``Service/invalidate(tagged:)-(String)``. The default is none.
    ///
    /// Only the configuration for GET counts. To keep the tags of earlier rules, insert tags instead of setting them:
    ///
    ///     service.configure("/users/**") { $0.tags = ["users"] }
    ///     service.configure("/users/*/repos") { $0.tags.insert("repos") }
    public var tags: Set<String> {
        get { dependencies.tags }
        set { dependencies.tags = newValue }
    }

    /// Adds tags that are computed from the current data of a resource, for example one tag for each item of a list.
    ///
    /// Only the configuration for GET counts. The closure runs on the main thread, for each resource with data, at each
    /// invalidation, and must be fast.
    public mutating func tagEntities(with tags: @escaping (Entity<Any>) -> Set<String>) {
        dependencies.taggers.append(tags)
    }

    /// Adds tags that are computed from the content of a resource, if the content is of type `type`.
    ///
    ///     service.configure("/search/repos") {
    ///         $0.tagContent(of: [Repo].self) { repos in Set(repos.map { "repo-\($0.id)" }) }
    ///     }
    ///
    /// See ``tagEntities(with:)``.
    public mutating func tagContent<Content>(
        of type: Content.Type, with tags: @escaping (Content) -> Set<String>
    ) {
        tagEntities { ($0.content as? Content).map(tags) ?? [] }
    }

    /// The resources that become stale after a successful write. The default is none.
    ///
    ///     service.configure("/users/**") { $0.tags = ["users"] }
    ///     service.configure("/users", requestMethods: [.post]) { $0.invalidates = ["users"] }
    ///
    /// A write is a request whose method is neither safe (GET, HEAD, OPTIONS, TRACE, QUERY, SEARCH, PROPFIND, REPORT) nor
    /// the load of a resource with a body. The options of its method count, after all mutations. When a write succeeds,
    /// and before the hooks of its caller run, affected resources that are observed are loaded, and other affected
    /// resources become stale. No data is removed.
    ///
    /// If it is unknown whether the server has carried out the write, affected resources become stale, and none is
    /// loaded. This applies to a status of 500 and above, to a lost connection, and to a write that was cancelled after
    /// it was sent. A write that the server has refused (status 400 to 499) has no effect.
    public var invalidates: Set<Invalidation> {
        get { dependencies.invalidates }
        set { dependencies.invalidates = newValue }
    }

    /// Adds a closure that computes the resources that become stale after a write; see ``invalidates``.
    ///
    ///     service.configure("/user/starred/**", requestMethods: [.put, .delete]) {
    ///         $0.addInvalidations { resource, _ in [.tag("repo-\(resource.url.lastPathComponent)")] }
    ///     }
    ///
    /// The arguments of the closure are the resource of the write and the response of the server. The response is nil if
    /// the pipeline cannot process it, and if it is unknown whether the server has carried out the write. The
    /// closure runs on the main thread.
    public mutating func addInvalidations(
        with invalidations: @escaping (Resource, Entity<Any>?) -> Set<Invalidation>
    ) {
        dependencies.invalidators.append(invalidations)
    }

    private var dependencies: DependencyOptions {
        get { sending.dependencies }
        set { sending.dependencies = newValue }
    }
}

/// The options for dependent data.
struct DependencyOptions {
    var tags: Set<String> = []
    var taggers: [(Entity<Any>) -> Set<String>] = []
    var invalidates: Set<Invalidation> = []
    var invalidators: [(Resource, Entity<Any>?) -> Set<Invalidation>] = []

    /// The options; nil if all of them are off.
    var nilIfOff: DependencyOptions? { hasTags || hasInvalidations ? self : nil }
    var hasTags: Bool { !tags.isEmpty || !taggers.isEmpty }
    var hasInvalidations: Bool { !invalidates.isEmpty || !invalidators.isEmpty }
}
