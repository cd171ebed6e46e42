extension Configuration {
    /// The tags of the resource. When a tag is invalidated, all resources with this tag become stale; see
    /// ``invalidates`` and ``Service/invalidate(tagged:)-(String)``. The default is an empty set.
    ///
    /// To keep the tags from earlier rules, insert tags instead of assigning a new set:
    ///
    ///     service.configure("/users/**") { $0.tags = ["users"] }
    ///     service.configure("/users/*/repos") { $0.tags.insert("repos") }
    public var tags: Set<String> {
        get { self[TagsKey.self] }
        set { self[TagsKey.self] = newValue }
    }

    /// Adds a closure that computes tags from the current data of a resource, for example one tag for each item of a
    /// list.
    ///
    /// Whenever a tag is invalidated, the closure may run on the main thread for each resource that uses this
    /// configuration and has data. The closure must therefore be fast.
    public mutating func tagEntities(with tags: @escaping (Entity<Any>) -> Set<String>) {
        taggers.append(tags)
    }

    /// Adds a closure that computes tags from the content of a resource. The closure is called only if the content is
    /// of type `type`.
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

    /// The resources that become stale when a write succeeds. The default is an empty set.
    ///
    ///     service.configure("/users/**") { $0.tags = ["users"] }
    ///     service.configure("/users", requestMethods: [.post]) { $0.invalidates = ["users"] }
    ///
    /// A write is a request with an unsafe method. The safe methods are GET, HEAD, OPTIONS, TRACE, QUERY, SEARCH,
    /// PROPFIND and REPORT. A load that sends a body is not a write. If a `requestMutation` or a closure of
    /// ``Configuration/mutateRequests(with:)`` changes the method of a request, the options for the new method apply.
    ///
    /// When a write succeeds, the affected resources become stale but keep their data, and a load starts for each of
    /// them that is observed. Both happen before the hooks of the request run.
    ///
    /// It is unknown whether the server has carried out a write if the status is 500 or more, if the connection was
    /// lost, or if the write was cancelled after it was sent. The affected resources then become stale, but none of
    /// them is loaded. A write that the server has refused (status 400 to 499) makes no resource stale.
    public var invalidates: Set<Invalidation> {
        get { self[InvalidatesKey.self] }
        set { self[InvalidatesKey.self] = newValue }
    }

    /// Adds a closure that computes the resources that become stale after a write; see ``invalidates``.
    ///
    ///     service.configure("/user/starred/**", requestMethods: [.put, .delete]) {
    ///         $0.addInvalidations { resource, _ in [.tag("repo-\(resource.url.lastPathComponent)")] }
    ///     }
    ///
    /// The closure receives the resource to which the write was sent, and the entity of the server's response. The
    /// entity is nil if the pipeline cannot process the response, or if it is unknown whether the server has carried
    /// out the write. The closure runs on the main thread.
    public mutating func addInvalidations(
        with invalidations: @escaping (Resource, Entity<Any>?) -> Set<Invalidation>
    ) {
        invalidators.append(invalidations)
    }

    fileprivate(set) var taggers: [(Entity<Any>) -> Set<String>] {
        get { self[TaggersKey.self] }
        set { self[TaggersKey.self] = newValue }
    }

    fileprivate(set) var invalidators: [(Resource, Entity<Any>?) -> Set<Invalidation>] {
        get { self[InvalidatorsKey.self] }
        set { self[InvalidatorsKey.self] = newValue }
    }
}

private struct TagsKey: ConfigurationKey {
    static let defaultValue: Set<String> = []
    static func text(of tags: Set<String>) -> String { tags.sorted().joined(separator: ", ") }
}

private struct TaggersKey: ConfigurationKey {
    static var defaultValue: [(Entity<Any>) -> Set<String>] { [] }
    static func text(of taggers: [(Entity<Any>) -> Set<String>]) -> String { "\(taggers.count)" }
}

private struct InvalidatesKey: ConfigurationKey {
    static let defaultValue: Set<Invalidation> = []
    static func text(of targets: Set<Invalidation>) -> String {
        targets.map { "\($0)" }.sorted().joined(separator: ", ")
    }
}

private struct InvalidatorsKey: ConfigurationKey {
    static var defaultValue: [(Resource, Entity<Any>?) -> Set<Invalidation>] { [] }
    static func text(of invalidators: [(Resource, Entity<Any>?) -> Set<Invalidation>]) -> String {
        "\(invalidators.count)"
    }
}
