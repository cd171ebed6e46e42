import Foundation
import HTTPRules

/// The configuration rules of a service in the order in which they were added, and the resulting configurations of its
/// resources.
///
/// Resources that match the same rules share one ``ConfigurationSet``. No mutation of this value runs code of the app.
/// ``ResourceContext`` calls the URL predicates, and each mutation returns the objects that it drops to its caller.
@MainActor
package struct ConfigurationRules {
    /// One call of `configure`.
    struct Rule {
        enum Pattern {
            case everything
            case wildcard(URLWildcard)
            case predicate((URL) -> Bool)
        }

        let pattern: Pattern
        let methods: Set<RequestMethod>
        let description: String
        let configurer: (inout Configuration) -> Void
        private let isForGet: Bool

        init(
            pattern: Pattern, methods: Set<RequestMethod>, description: String,
            configurer: @escaping (inout Configuration) -> Void
        ) {
            self.pattern = pattern
            self.methods = methods
            self.description = description
            self.configurer = configurer
            isForGet = methods.contains(.get)
        }

        /// Returns true if the rule applies to `method`. The result for GET is stored, because the hash of a method is
        /// slow: methods are text.
        func applies(to method: RequestMethod) -> Bool {
            method == .get ? isForGet : methods.contains(method)
        }
    }

    /// The rules that a resource matches, one bit for each rule.
    fileprivate struct Mask: Hashable {
        private var first: UInt64 = 0
        private var rest: [UInt64] = []

        mutating func insert(_ index: Int) {
            guard index >= 64 else { return first |= 1 << UInt64(index) }
            let word = index / 64 - 1
            while rest.count <= word { rest.append(0) }
            rest[word] |= 1 << UInt64(index % 64)
        }

        func contains(_ index: Int) -> Bool {
            guard index >= 64 else { return first & 1 << UInt64(index) != 0 }
            let word = index / 64 - 1
            return word < rest.count && rest[word] & 1 << UInt64(index % 64) != 0
        }
    }

    /// True while URL predicates are called, or while configurers run to list their caches. Predicates and configurers
    /// are code of the app. If this code reads the configuration, they must not be called again.
    package var isMatching = false
    var isListingCaches = false
    /// The storages that the caches of resources have used so far.
    let register = StorageRegister()
    private var rules: [Rule] = []
    /// The rules that apply to all resources.
    private var general = Mask()
    /// The patterns of the other rules, each with the index of its rule.
    private var wildcards: [(pattern: URLWildcard, rule: Int)] = []
    private(set) var predicates: [(matches: (URL) -> Bool, rule: Int)] = []
    /// The number of times that the cached configurations have become outdated.
    private(set) var generation = 0
    private var memo: [Mask: ConfigurationSet] = [:]
    /// The last result, because consecutive look-ups often concern resources that match the same rules.
    private var latest: (mask: Mask, set: ConfigurationSet)?

    /// The objects that a mutation has dropped. Release them after the mutation, because their release may run code of
    /// the app.
    struct Dropped {
        fileprivate let sets: [Mask: ConfigurationSet]
    }

    mutating func add(_ rule: Rule) -> Dropped {
        switch rule.pattern {
        case .everything: general.insert(rules.count)
        case .wildcard(let pattern): wildcards.append((pattern, rules.count))
        case .predicate(let matches): predicates.append((matches, rules.count))
        }
        rules.append(rule)
        return invalidate()
    }

    /// Removes all cached configurations, so that all configuration closures run again.
    mutating func invalidate() -> Dropped {
        let dropped = Dropped(sets: exchange(&memo, with: [:]))
        for set in dropped.sets.values { set.outdate() }
        latest = nil
        generation += 1
        return dropped
    }

    /// The caches that GET requests of resources may have. A cache may occur more than once.
    ///
    /// Includes the caches of stages that a rule removes, because these stages run for resources to which the rule does
    /// not apply. The effect of a rule may depend on the rules before it. Each rule is therefore tried twice: after all
    /// earlier rules, and after the earlier general rules alone. The caches of another combination of rules are in
    /// ``register`` as soon as a resource uses that combination.
    var caches: [any StageCache] {
        var (all, general) = (Configuration(), Configuration())
        return rules.filter { $0.applies(to: .get) }.flatMap { rule in
            rule.configurer(&all)
            var single = general
            rule.configurer(&single)
            if case .everything = rule.pattern { general = single }
            return all.pipeline.caches + single.pipeline.caches
        }
    }

    /// The rules that a resource matched at a certain generation of the rules.
    struct Match {
        fileprivate var mask: Mask
        fileprivate let generation: Int

        mutating func insert(_ rule: Int) { mask.insert(rule) }
    }

    /// Returns the rules that the resource at `address` matches. Ignores the rules in ``predicates``.
    ///
    /// The function changes nothing, but is mutating: before a non-mutating call on a property of a class, Swift copies
    /// the whole value.
    mutating func match(_ address: String) -> Match {
        var mask = general
        address.withUTF8Bytes { address in
            for index in wildcards.indices where wildcards[index].pattern.matches(address) {
                mask.insert(wildcards[index].rule)
            }
        }
        return Match(mask: mask, generation: generation)
    }

    /// Returns the configurations of the resource at `address`; nil if there are ``predicates``, which the caller must
    /// test first.
    mutating func configurationsWithoutPredicates(for address: String) -> ConfigurationSet? {
        predicates.isEmpty ? configurations(for: match(address)) : nil
    }

    /// Returns the configurations of resources that match these rules. If the rules have changed since the match, the
    /// result is already outdated.
    mutating func configurations(for match: Match) -> ConfigurationSet {
        let mask = match.mask
        guard match.generation == generation else {
            let set = newSet(mask)
            set.outdate()
            return set
        }
        if let latest, latest.mask == mask { return latest.set }
        let known = memo[mask]
        let set = known ?? newSet(mask)
        if known == nil { memo[mask] = set }
        latest = (mask, set)
        return set
    }

    private func newSet(_ mask: Mask) -> ConfigurationSet {
        let matching = rules.indices.filter(mask.contains).map { rules[$0] }
        return ConfigurationSet(rules: matching, register: register)
    }
}
