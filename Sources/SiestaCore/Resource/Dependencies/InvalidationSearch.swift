import HTTPRules

/// Finds the resources that belong to the target of an invalidation.
///
/// Most consecutive resources have the same rules, and therefore the same configuration. The search compares the tags of
/// a configuration once for such resources, and copies no entity without a reason.
@MainActor
struct InvalidationSearch {
    private let target: InvalidationTarget
    /// The configuration of the last resource, and the facts about it.
    private var configuration: ConfigurationSet.Resolved?
    private var hasTag = false
    private var hasGroup = false
    private var computesTags = false

    init(_ target: InvalidationTarget) {
        self.target = target
    }

    /// Returns true if the resource belongs to the target. May call the app's test of URLs, and its closures for the tags
    /// of entities.
    mutating func includes(_ resource: Resource) -> Bool {
        if !target.paths.isEmpty, target.paths.contains(InvalidationTarget.path(of: resource.address)) { return true }
        if !target.addresses.isEmpty, target.addresses.contains(resource.location) { return true }
        if let matches = target.matches, matches(resource.url) { return true }
        return target.hasTags && isTagged(resource)
    }

    private mutating func isTagged(_ resource: Resource) -> Bool {
        note(resource.resolvedConfiguration(for: .get))
        if hasTag || hasGroup && URLOrigin(text: resource.address) == target.origin { return true }
        guard computesTags || resource.dataHasField(CacheGroups.field), let data = resource.state.data else {
            return false
        }
        return target.includes(tags: resource.computedTags(of: data), at: resource.address)
    }

    private mutating func note(_ configuration: ConfigurationSet.Resolved) {
        guard self.configuration !== configuration else { return }
        self.configuration = configuration
        let options = configuration.configuration
        hasTag = !options.tags.isDisjoint(with: target.tags)
        hasGroup = !options.tags.isDisjoint(with: target.groups)
        computesTags = !options.taggers.isEmpty
    }
}
