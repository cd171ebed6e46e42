extension Catalogue {
    /// Repositories made from word lists, where a number is wanted rather than a story.
    static var generatedSeeds: [RepositorySeed] {
        crowds.flatMap { owner, count in (0..<count).map { seed($0, of: owner) } }
    }

    /// How many each owner gets: several full pages, a bit more than one, or a few.
    private static let crowds = [
        ("lanternworks", 134), ("tidewater-archive", 18), ("instytut-zorza", 9), ("yuzu-kobo", 22), ("brass-otter", 31),
        ("manarat-alhuruf", 6), ("paper-rocket", 12), ("mira-sato", 38), ("elodie-varga", 7), ("li-wenqing", 14),
        ("hana-byeol", 5), ("bjorn-aasli", 11), ("ngozi-adeleke", 16), ("dave-vulpes", 4), ("priya-ramanan", 8),
        ("ines-duarte", 3), ("quiet-badger", 1),
    ]

    private static let tempers = [
        "amber", "brisk", "copper", "drowsy", "eager", "frosty", "gentle", "hollow", "ivory", "jolly", "knotted",
        "lucid",
        "mellow", "nimble", "opal", "patient", "quiet", "rusty",
    ]

    private static let things = [
        "anchor", "beacon", "compass", "derrick", "ember", "ferry", "gauge", "hatch", "inlet", "jetty", "keel",
        "ladder",
        "mast", "net", "oar", "pulley",
    ]

    private static let openings = [
        "Watches", "Sorts", "Mends", "Counts", "Draws", "Compresses", "Translates", "Schedules", "Signs", "Explains",
    ]

    private static let objects = [
        "log files", "cron tables", "certificates", "time zones", "sparse matrices", "old photographs", "DNS zones",
        "queues", "build graphs", "sensor readings", "shopping lists", "release notes",
    ]

    private static let endings = [
        "without waking anybody", "in constant memory", "the slow and careful way", "for very small machines",
        "so that you need not", "with a friendly prompt", "before breakfast", "and keeps the receipts",
    ]

    private static let languages = [
        "Swift", "Rust", "Go", "Python", "TypeScript", "C", "Kotlin", "Zig", "Haskell", "Ruby", "Shell", "Lua",
    ]

    /// The n-th of an owner; its name is unlike every other of the same owner for n below 288.
    private static func seed(_ index: Int, of owner: String) -> RepositorySeed {
        let round = index / tempers.count
        let temper = tempers[index % tempers.count]
        let thing = things[(index + round * 3 + owner.utf8.count) % things.count]
        let name = "\(temper)-\(thing)"
        var dice = Dice("seed of \(owner)/\(name)")
        let description = "\(dice.pick(openings)) \(dice.pick(objects)) \(dice.pick(endings))"
        return RepositorySeed(
            owner, name, dice.number(0...9) == 0 ? nil : description,
            dice.number(0...11) == 0 ? nil : dice.pick(languages),
            dice.lowish(0...900), "\(thing) \(temper)")
    }
}
