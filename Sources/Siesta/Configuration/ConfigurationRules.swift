import Foundation

/// The configuration entries of a service in the order they were added, and what they come to for resources.
///
/// Resources that match the same entries share one ``ConfigurationSet``.
@MainActor
struct ConfigurationRules {
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
    }

    /// Which rules a resource matches, a bit each.
    private struct Mask: Hashable {
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

    /// The storages that resources have been given so far.
    let register = StorageRegister()
    private var rules: [Rule] = []
    /// The rules that apply to everything.
    private var general = Mask()
    /// What has to be looked at for the others, and which rules they are.
    private var wildcards: [(pattern: URLWildcard, rule: Int)] = []
    private var predicates: [(matches: (URL) -> Bool, rule: Int)] = []
    private var memo: [Mask: ConfigurationSet] = [:]
    /// What was asked for last: neighbours are often of one kind.
    private var latest: (mask: Mask, set: ConfigurationSet)?

    mutating func add(_ rule: Rule) {
        switch rule.pattern {
        case .everything: general.insert(rules.count)
        case .wildcard(let pattern): wildcards.append((pattern, rules.count))
        case .predicate(let matches): predicates.append((matches, rules.count))
        }
        rules.append(rule)
        invalidate()
    }

    /// Forgets what was computed, so that all configuration closures run again.
    mutating func invalidate() {
        for set in memo.values { set.outdate() }
        memo.removeAll()
        latest = nil
    }

    /// The caches that GET requests of resources may have, some more than once.
    ///
    /// Also those of stages that a rule leaves out: they run for resources which that rule is not for. What a rule makes
    /// of a configuration may depend on the rules before: each is tried after all of them, and after the general ones
    /// alone. Any other choice of rules shows in ``register`` once a resource has it.
    var caches: [any StageCache] {
        var (all, general) = (Configuration(), Configuration())
        return rules.filter { $0.methods.contains(.get) }.flatMap { rule in
            rule.configurer(&all)
            var single = general
            rule.configurer(&single)
            if case .everything = rule.pattern { general = single }
            return all.pipeline.caches + single.pipeline.caches
        }
    }

    /// The configurations of the resource at `address`; `url` is evaluated only if a rule needs it.
    mutating func configurations(for address: String, url: () -> URL) -> ConfigurationSet {
        var mask = general
        address.withUTF8Bytes { address in
            for index in wildcards.indices where wildcards[index].pattern.matches(address) {
                mask.insert(wildcards[index].rule)
            }
        }
        for predicate in predicates where predicate.matches(url()) { mask.insert(predicate.rule) }
        if let latest, latest.mask == mask { return latest.set }
        let set = memo[mask] ?? newSet(mask)
        latest = (mask, set)
        return set
    }

    private mutating func newSet(_ mask: Mask) -> ConfigurationSet {
        let matching = rules.indices.filter(mask.contains).map { rules[$0] }
        let set = ConfigurationSet(rules: matching, register: register)
        memo[mask] = set
        return set
    }
}
