/// The counts of the states of resources, from which ``StatusRules`` decides. Pure.
///
/// A resource has a number. The resource with the smallest number counts as the first. A change takes constant time, unless
/// thousands of resources have failed or wait.
struct StatusTally {
    private(set) var count = 0
    private(set) var loadingCount = 0
    private(set) var dataCount = 0
    private var (liveCount, reconnectingCount, notLiveCount) = (0, 0, 0)
    private var failures = NumberSet()
    private var waits = NumberSet()

    /// The first resource with an error; nil if none has one.
    var firstFailure: Int? { failures.first }

    /// The first resource that waits; nil if none does.
    var firstWait: Int? { waits.first }

    /// The state of all connections: a lost one comes first. Nil if there is none.
    var live: LiveLine.Kind? {
        if reconnectingCount > 0 { return .reconnecting }
        if notLiveCount > 0 { return .notLive }
        return liveCount > 0 ? .live : nil
    }

    /// Replaces the state of a resource. Nil stands for a resource that is not there.
    mutating func replace(_ old: StatusRules.Item?, by new: StatusRules.Item?, at number: Int) {
        guard old != new else { return }
        if let old { add(old, -1) }
        if let new { add(new, 1) }
        failures.set(number, isMember: new?.hasError == true)
        waits.set(number, isMember: new?.isWaiting == true)
    }

    private mutating func add(_ item: StatusRules.Item, _ sign: Int) {
        count += sign
        if item.isLoading { loadingCount += sign }
        if item.hasData { dataCount += sign }
        switch item.live {
        case .live: liveCount += sign
        case .reconnecting: reconnectingCount += sign
        case .notLive: notLiveCount += sign
        case nil: break
        }
    }
}

/// A sorted set of numbers. Most changes are at its end, or change nothing.
private struct NumberSet {
    private var numbers: [Int] = []

    var first: Int? { numbers.first }

    mutating func set(_ number: Int, isMember: Bool) {
        let position = position(of: number)
        let isPresent = position < numbers.count && numbers[position] == number
        if isMember, !isPresent { numbers.insert(number, at: position) }
        if !isMember, isPresent { numbers.remove(at: position) }
    }

    /// The position of the first number that is not smaller, by binary search.
    private func position(of number: Int) -> Int {
        if let last = numbers.last, last < number { return numbers.count }
        var (low, high) = (0, numbers.count)
        while low < high {
            let middle = (low + high) / 2
            if numbers[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
