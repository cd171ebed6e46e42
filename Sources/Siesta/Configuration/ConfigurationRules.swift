import Foundation

/// The configuration entries of a service in the order they were added, and what they come to for resources.
///
/// Resources that match the same entries share one ``ConfigurationSet``. No change of this runs code of the app: tests of
/// URLs are asked elsewhere, and whoever makes a change gets what it drops.
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

        /// Whether the rule is for requests with `method`. The answer for GET is kept, since methods are hashed as text.
        func applies(to method: RequestMethod) -> Bool {
            method == .get ? isForGet : methods.contains(method)
        }
    }

    /// Which rules a resource matches, a bit each.
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

    /// The storages that resources have been given so far.
    let register = StorageRegister()
    private var rules: [Rule] = []
    /// The rules that apply to everything.
    private var general = Mask()
    /// What has to be looked at for the others, and which rules they are.
    private var wildcards: [(pattern: URLWildcard, rule: Int)] = []
    private(set) var predicates: [(matches: (URL) -> Bool, rule: Int)] = []
    /// How often results have become outdated.
    private var generation = 0
    private var memo: [Mask: ConfigurationSet] = [:]
    /// What was asked for last: neighbours are often of one kind.
    private var latest: (mask: Mask, set: ConfigurationSet)?

    /// What a change has dropped, to be released once the change is done, which may run any code.
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

    /// Forgets what was computed, so that all configuration closures run again.
    mutating func invalidate() -> Dropped {
        let dropped = Dropped(sets: exchange(&memo, with: [:]))
        for set in dropped.sets.values { set.outdate() }
        latest = nil
        generation += 1
        return dropped
    }

    /// The caches that GET requests of resources may have, some more than once.
    ///
    /// Also those of stages that a rule leaves out: they run for resources which that rule is not for. What a rule makes
    /// of a configuration may depend on the rules before: each is tried after all of them, and after the general ones
    /// alone. Any other choice of rules shows in ``register`` once a resource has it.
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

    /// Which rules a resource matches, as of the time when that was asked.
    struct Match {
        fileprivate var mask: Mask
        fileprivate let generation: Int

        mutating func insert(_ rule: Int) { mask.insert(rule) }
    }

    /// The rules that the resource at `address` matches, without those in ``predicates``.
    ///
    /// Mutating although it changes nothing: to read from a class, Swift copies the whole value first.
    mutating func match(_ address: String) -> Match {
        var mask = general
        address.withUTF8Bytes { address in
            for index in wildcards.indices where wildcards[index].pattern.matches(address) {
                mask.insert(wildcards[index].rule)
            }
        }
        return Match(mask: mask, generation: generation)
    }

    /// The configurations of the resource at `address`; nil if there are ``predicates``, which have to be asked first.
    mutating func configurationsWithoutPredicates(for address: String) -> ConfigurationSet? {
        predicates.isEmpty ? configurations(for: match(address)) : nil
    }

    /// The configurations of resources that match these rules; outdated already if there are others by now.
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
