/// The part of a repository that is written by hand; the rest follows from its name.
struct RepositorySeed: Sendable {
    let owner: String
    let name: String
    let description: String?
    let language: String?
    let stars: Int
    let topics: String

    init(
        _ owner: String, _ name: String, _ description: String?, _ language: String?, _ stars: Int,
        _ topics: String = ""
    ) {
        (self.owner, self.name, self.description) = (owner, name, description)
        (self.language, self.stars, self.topics) = (language, stars, topics)
    }

    /// Fills in what is missing: the same numbers for the same owner and name, always.
    func grown(id: Int, owner: Account, before today: Moment) -> Repository {
        var dice = Dice("\(self.owner)/\(name)")
        let age = dice.number(60...2400)
        let idle = min(dice.lowish(0...700), age - 1)
        let pushed = today.adding(days: -idle, seconds: -dice.number(0...80_000))
        let isFork = stars < 3 && dice.number(0...3) == 0
        return Repository(
            id: id, owner: owner, name: name, description: description,
            languages: Self.languages(language, &dice),
            starsOfOthers: stars, forks: dice.lowish(0...(stars / 4 + 1)),
            openIssues: dice.lowish(0...(stars / 10 + 3)),
            size: dice.number(12...48_000), topics: topics.split(separator: " ").map(String.init),
            license: dice.number(0...5) == 0 ? nil : dice.pick(License.allCases),
            homepage: dice.number(0...4) == 0 ? "https://\(name.lowercased()).example" : nil,
            isFork: isFork, isArchived: idle > 500, defaultBranch: age > 1900 ? "master" : "main",
            created: today.adding(days: -age, seconds: -dice.number(0...80_000)),
            pushed: pushed, updated: min(pushed.adding(seconds: dice.number(60...9_000)), today))
    }

    private static let companions = ["Shell", "Makefile", "Dockerfile", "HTML", "CSS", "C", "Python", "Nix"]

    private static func languages(_ main: String?, _ dice: inout Dice) -> [Repository.LanguageShare] {
        guard let main else { return [] }
        var bytes = dice.number(9_000...900_000)
        var shares = [Repository.LanguageShare(name: main, bytes: bytes)]
        for _ in 0..<dice.number(0...4) {
            let name = dice.pick(companions)
            bytes = bytes / dice.number(2...9) + 1
            guard !shares.contains(where: { $0.name == name }) else { continue }
            shares.append(Repository.LanguageShare(name: name, bytes: bytes))
        }
        return shares
    }
}
