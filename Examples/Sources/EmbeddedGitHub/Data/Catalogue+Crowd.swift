extension Catalogue {
    /// The number of accounts that exist only to make a list long.
    static let crowdSize = 2_400

    /// Accounts from `guest-0001`, which a search for `guest` finds in this order. They own nothing, and work on nothing.
    static let crowd: [Account] = (1...crowdSize).map { number in
        let digits = String(number)
        let padded = String(repeating: "0", count: 4 - digits.count) + digits
        var dice = Dice("guest \(number)")
        return Account(
            id: 500_000 + number, login: "guest-\(padded)", kind: .user, name: "Guest \(number)", bio: "One of many.",
            location: nil, company: nil, blog: nil, followers: 0, following: dice.lowish(0...40),
            created: today.adding(days: -dice.number(10...900)), updated: today.adding(days: -dice.number(1...9)))
    }
}
