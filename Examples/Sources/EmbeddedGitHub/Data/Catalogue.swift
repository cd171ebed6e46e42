/// The invented world that the server speaks of: the same on every run.
///
/// All dates lie before ``Catalogue/today``. Looking up a login or name takes constant time and ignores case.
struct Catalogue: Sendable {
    /// The one catalogue; it takes some milliseconds to grow when it is first used.
    static let shared = Catalogue()

    /// 1 March 2026, noon: the present of all fixture data.
    static let today = Moment(seconds: 1_772_366_400)

    /// Organisations first, then persons. Not the crowd.
    let accounts: [Account]

    /// All accounts, the crowd last.
    let everybody: [Account]

    /// All repositories, ordered by owner.
    let repositories: [Repository]

    /// What each user has starred when the server starts, by login, latest first.
    let starredAtFirst: [String: [Int]]

    private let accountPlaces: [String: Int]
    private let repositoryPlaces: [String: Int]
    private let places: [Int: Int]
    private let owned: [String: [Repository]]

    private init() {
        let accounts = Self.organisations + Self.users
        let repositories = Self.grow(Self.seeds + Self.generatedSeeds, accounts)
        (self.accounts, self.repositories) = (accounts, repositories)
        everybody = accounts + Self.crowd
        accountPlaces = Self.places(everybody.map { $0.login.lowercased() })
        repositoryPlaces = Self.places(repositories.map { $0.fullName.lowercased() })
        places = Self.places(repositories.map(\.id))
        owned = Dictionary(grouping: repositories) { $0.owner.login }
        starredAtFirst = Self.stars.mapValues { names in
            names.compactMap { name in repositories.first { $0.fullName == name }?.id }
        }
    }

    /// The account with a login.
    func account(_ login: String) -> Account? {
        accountPlaces[login.lowercased()].map { everybody[$0] }
    }

    /// The repository with a name.
    func repository(_ owner: String, _ name: String) -> Repository? {
        repositoryPlaces["\(owner)/\(name)".lowercased()].map { repositories[$0] }
    }

    /// The repository with an id.
    func repository(id: Int) -> Repository? {
        places[id].map { repositories[$0] }
    }

    /// What an account owns, in no useful order.
    func repositories(of owner: Account) -> [Repository] {
        owned[owner.login] ?? []
    }

    /// Who has worked on a repository, most contributions first: popular ones have many contributors, empty ones none.
    func contributors(to repository: Repository) -> [Repository.Contributor] {
        guard !repository.languages.isEmpty else { return [] }
        var dice = Dice("contributors of \(repository.fullName)")
        let people = accounts.filter { $0.kind == .user && $0.login != repository.owner.login }
        let isTeam = repository.owner.kind == .organisation
        let count = min(people.count, repository.starsOfOthers / 60 + (isTeam ? 2 : 0))
        let drawn = people.map { (lot: dice.next(), account: $0) }.sorted { $0.lot < $1.lot }.map(\.account)
        let chosen = (isTeam ? [] : [repository.owner]) + drawn.prefix(count)
        var contributions = dice.number(200...900)
        return chosen.map { account in
            defer { contributions = max(1, contributions * dice.number(35...85) / 100) }
            return Repository.Contributor(account: account, contributions: contributions)
        }
    }

    // MARK: - Growing

    private static func grow(_ seeds: [RepositorySeed], _ accounts: [Account]) -> [Repository] {
        let owners = Dictionary(uniqueKeysWithValues: accounts.map { ($0.login, $0) })
        return seeds.enumerated().compactMap { index, seed in
            owners[seed.owner].map { seed.grown(id: 720_341 + index * 17, owner: $0, before: today) }
        }
    }

    private static func places<Key: Hashable>(_ keys: [Key]) -> [Key: Int] {
        Dictionary(uniqueKeysWithValues: zip(keys, keys.indices))
    }
}
