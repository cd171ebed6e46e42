/// Finds the recorded addresses that are most similar to the address of a request. Pure.
///
/// The cost is bounded: it compares at most 300 different addresses, and at most 200 bytes of each.
enum NearestAddresses {
    private static let maximumCount = 300
    private static let maximumLength = 200

    /// Returns at most five addresses, those with the same method first, and the most similar first.
    static func of(_ address: HARAddress, among all: some Sequence<HARAddress>) -> [HARAddress] {
        var seen: Set<HARAddress> = []
        var found: [(isOther: Int, distance: Int, address: HARAddress)] = []
        for candidate in all where seen.count < maximumCount && seen.insert(candidate).inserted {
            let isOther = candidate.place.method == address.place.method ? 0 : 1
            found.append((isOther, distance(bytes(of: candidate), bytes(of: address)), candidate))
        }
        // The sort is stable: entries of the same distance keep their order.
        return found.sorted { ($0.isOther, $0.distance) < ($1.isOther, $1.distance) }.prefix(5).map(\.address)
    }

    private static func bytes(of address: HARAddress) -> [UInt8] { Array(address.url.utf8.prefix(2000)) }

    /// Returns the number of bytes to insert, remove or replace (the Levenshtein distance).
    static func distance(_ first: [UInt8], _ second: [UInt8]) -> Int {
        let common = zip(first, second).prefix { $0 == $1 }.count
        let (one, two) = (first.dropFirst(common), second.dropFirst(common))
        let tail = zip(one.reversed(), two.reversed()).prefix { $0 == $1 }.count
        let (whole, other) = (Array(one.dropLast(tail)), Array(two.dropLast(tail)))
        let (left, right) = (whole.prefix(maximumLength), other.prefix(maximumLength))
        let rest = abs((whole.count - left.count) - (other.count - right.count))
        var row = Array(0...right.count)
        for (number, byte) in left.enumerated() {
            var diagonal = row[0]
            row[0] = number + 1
            for index in right.indices {
                let replaced = diagonal + (right[index] == byte ? 0 : 1)
                diagonal = row[index + 1]
                row[index + 1] = min(replaced, row[index] + 1, row[index + 1] + 1)
            }
        }
        return row[right.count] + rest
    }
}
