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

    private var rules: [Rule] = []
    private var memo: [Mask: ConfigurationSet] = [:]

    /// Changes whenever what was computed before is no longer valid.
    private(set) var generation = 0

    mutating func add(_ rule: Rule) {
        rules.append(rule)
        invalidate()
    }

    /// Forgets what was computed, so that all configuration closures run again.
    mutating func invalidate() {
        generation += 1
        memo.removeAll()
    }

    /// The configurations of the resource at `address`; `url` is evaluated only if a rule needs it.
    mutating func configurations(for address: String, url: () -> URL) -> ConfigurationSet {
        var mask = Mask()
        for index in rules.indices where rules[index].pattern.matches(address, url: url) { mask.insert(index) }
        if let known = memo[mask] { return known }
        let matching = rules.indices.filter(mask.contains).map { rules[$0] }
        let set = ConfigurationSet(rules: matching, generation: generation)
        memo[mask] = set
        return set
    }
}

extension ConfigurationRules.Rule.Pattern {
    func matches(_ address: String, url: () -> URL) -> Bool {
        switch self {
        case .everything: true
        case .wildcard(let wildcard): wildcard.matches(address)
        case .predicate(let matches): matches(url())
        }
    }
}
