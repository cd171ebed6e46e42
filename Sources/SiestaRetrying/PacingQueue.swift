import Foundation
import SiestaCore

/// Waiting requests in the order in which they are sent. Pure.
///
/// Requests of the same priority keep their order. A request precedes one of the next higher priority if it has waited
/// longer by ``aging``. Therefore no request waits forever. All functions take constant time on average.
struct PacingQueue<Element> {
    /// The additional waiting time that counts as much as one step of priority, in seconds.
    static var aging: TimeInterval { 10 }

    private struct Lane {
        var entries: [(element: Element, since: TimeInterval)] = []
        var start = 0

        var first: (element: Element, since: TimeInterval)? { start < entries.count ? entries[start] : nil }

        mutating func removeFirst() {
            start += 1
            guard start > 32, start > entries.count / 2 else { return }
            entries.removeFirst(start)
            start = 0
        }
    }

    /// The waiting requests of each priority, the lowest first.
    private var lanes = [Lane(), Lane(), Lane()]
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ element: Element, priority: RequestPriority, at now: TimeInterval) {
        let lane =
            switch priority {
            case .low: 0
            case .normal: 1
            case .high: 2
            }
        lanes[lane].entries.append((element, now))
        count += 1
    }

    /// The element that is sent next.
    var first: Element? { nextLane.flatMap { lanes[$0].first?.element } }

    /// Removes and returns the element that is sent next.
    mutating func removeFirst() -> Element? {
        guard let lane = nextLane, let first = lanes[lane].first else { return nil }
        lanes[lane].removeFirst()
        count -= 1
        return first.element
    }

    private var nextLane: Int? {
        lanes.indices.reversed().filter { lanes[$0].first != nil }.min { rank($0) < rank($1) }
    }

    /// The time since which the first element of a lane would have to wait with the lowest priority.
    private func rank(_ lane: Int) -> TimeInterval {
        (lanes[lane].first?.since ?? .infinity) - Double(lane) * Self.aging
    }
}
