import Foundation
import HTTPRules
import SiestaCore

extension OutboxRules {
    /// The identity of a sequence of entries: principals never share a sequence, so that they cannot block each other.
    package struct LaneKey: Hashable, Sendable {
        let principal: Principal?
        let scope: ExactText
    }

    /// The version of a resource that a condition names, for the entries of one lane.
    struct Version: Hashable {
        private let lane: LaneKey
        private let address: Outbox.Address
        private let condition: Outbox.Condition

        init(_ entry: Outbox.Entry, _ condition: Outbox.Condition) {
            (lane, address, self.condition) = (entry.lane, entry.request.address, condition)
        }
    }

    /// A wait of one scope.
    package struct Pause: Hashable, Sendable {
        let lane: LaneKey
        let number: UInt64
    }

    /// The unfinished entries of one scope and one principal.
    struct Lane: Sendable {
        /// The numbers of the entries, in order.
        private(set) var numbers: [UInt64] = []
        /// The number of steps that concern the lane and are not stored yet.
        var writes = 0
        /// The number of the pause during which nothing is sent; nil if there is none.
        var pause: UInt64?
        /// True if the server has asked for the last pause.
        var isPauseAsked = false

        /// False during a pause for which the server has asked: it also concerns later entries.
        var isUnused: Bool { numbers.isEmpty && writes == 0 && (pause == nil || !isPauseAsked) }

        mutating func append(_ number: UInt64) { numbers.append(number) }

        mutating func remove(_ number: UInt64) {
            if let index = index(of: number) { numbers.remove(at: index) }
        }

        private func index(of number: UInt64) -> Int? {
            var range = numbers.startIndex..<numbers.endIndex
            while let middle = range.isEmpty ? nil : (range.lowerBound + range.upperBound) / 2 {
                if numbers[middle] == number { return middle }
                range = numbers[middle] < number ? middle + 1..<range.upperBound : range.lowerBound..<middle
            }
            return nil
        }
    }

    /// The first entries of a principal's lanes that may be sendable. An entry that no longer is sendable is removed when
    /// it is found.
    struct Candidates: Sendable {
        private var heap: MinimumHeap<UInt64>
        private var members: Set<UInt64>

        init(_ numbers: [UInt64] = []) {
            heap = MinimumHeap(numbers)
            members = Set(numbers)
        }

        var first: UInt64? { heap.first }
        var numbers: Set<UInt64> { members }

        mutating func insert(_ number: UInt64) {
            if members.insert(number).inserted { heap.insert(number) }
        }

        mutating func removeFirst() {
            if let number = heap.removeFirst() { members.remove(number) }
        }
    }

    /// The time from which an entry waits.
    struct Age: Comparable, Sendable {
        let time: TimeInterval
        let number: UInt64

        init(_ entry: Outbox.Entry) {
            (time, number) = (entry.waitsSince.timeIntervalSinceReferenceDate, entry.number)
        }

        static func < (left: Age, right: Age) -> Bool { (left.time, left.number) < (right.time, right.number) }
    }
}
