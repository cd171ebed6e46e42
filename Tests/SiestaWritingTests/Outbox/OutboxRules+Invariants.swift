import SiestaCore

@testable import SiestaWriting

extension OutboxRules {
    /// The collections whose invariants do not hold.
    var brokenInvariants: [String] {
        var broken: [String] = []
        func check(_ collection: String, _ holds: Bool) {
            if !holds { broken.append("\(collection) of the rules") }
        }
        let (entries, aged) = (Array(entriesByNumber.values), agedNumbers)
        check("entriesByNumber", entriesByNumber.allSatisfy { number, entry in number == entry.number })
        check("numbers", numbers.count == entries.count && entries.allSatisfy { numbers[$0.id] == $0.number })
        check("lanes", entries.allSatisfy { lanes[$0.lane] != nil })
        for (key, lane) in lanes {
            let expected = entries.filter { $0.lane == key }.map(\.number).sorted()
            check("lanes", lane.numbers == expected && !lane.isUnused)
        }
        for entry in entries where isSendable(entry.number) {
            check("candidates", candidates[entry.owner]?.numbers.contains(entry.number) ?? false)
        }
        let dependent = Dictionary(grouping: entries.filter { $0.dependency != nil }) { $0.dependency ?? "" }
        check("dependants", dependants.mapValues { Set($0) } == dependent.mapValues { Set($0.map(\.number)) })
        for entry in entries where entry.state == .queued || entry.state == .sending {
            check("ages", aged.contains(entry.number))
        }
        check("cancelled", cancelled.isSubset(of: numbers.keys))
        check("lastNumber", entries.allSatisfy { $0.number <= lastNumber })
        check("bytes", bytes == entries.reduce(0) { $0 + $1.size })
        return broken
    }

    /// The numbers of the entries whose present age is in the heap.
    private var agedNumbers: Set<UInt64> {
        var (ages, found) = (ages, Set<UInt64>())
        while let age = ages.removeFirst() {
            if let entry = entriesByNumber[age.number], Age(entry) == age { found.insert(age.number) }
        }
        return found
    }

    /// The number of elements of all heaps.
    var heldNumbers: Int { candidates.values.reduce(ages.count) { $0 + $1.numbers.count } }
}
