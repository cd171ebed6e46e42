/// The rule for the number of cookies in one jar (RFC 6265 §5.3). Without it, a server could fill the memory, because
/// libcurl limits only the size of a cookie and the number in one response. Pure.
enum CookieLimit {
    /// The number of cookies that remain when the rule is applied. RFC 6265 §6.1 asks for at least 3000.
    static let total = 3000

    /// The rule is applied after this number of `Set-Cookie` fields.
    static let interval = 500

    /// Returns the cookies that are kept, in their order. Cookies of the domains with the most cookies are removed
    /// first, and of these the first ones.
    ///
    /// - Parameter lines: The cookies in Netscape's format.
    static func kept(of lines: [String], total: Int = total) -> [String] {
        guard lines.count > total else { return lines }
        let domains = lines.map(domain)
        var counts: [Substring: Int] = [:]
        for domain in domains { counts[domain, default: 0] += 1 }
        let limit = share(of: Array(counts.values), total: total)
        var isKept = domains.map { domain in
            counts[domain, default: 0] -= 1
            return counts[domain, default: 0] < limit
        }
        var room = total - isKept.count { $0 }
        for index in lines.indices.reversed() where room > 0 && !isKept[index] {
            isKept[index] = true
            room -= 1
        }
        return zip(lines, isKept).filter(\.1).map(\.0)
    }

    /// Returns the number of cookies that each domain may keep.
    private static func share(of counts: [Int], total: Int) -> Int {
        var (rest, domainCount) = (total, counts.count)
        for count in counts.sorted() {
            guard count * domainCount <= rest else { break }
            (rest, domainCount) = (rest - count, domainCount - 1)
        }
        return domainCount > 0 ? rest / domainCount : total
    }

    private static func domain(_ line: String) -> Substring {
        let field = line.prefix { $0 != "\t" }
        let mark = "#HttpOnly_"
        return (field.hasPrefix(mark) ? field.dropFirst(mark.count) : field).drop { $0 == "." }
    }
}
