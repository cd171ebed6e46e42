import SiestaCore

/// Finds the elements of a list that need not be moved.
enum UnmovedElements {
    /// Returns the members of a longest increasing subsequence of distinct numbers, in n log n steps.
    static func longestRun(_ numbers: [Int]) -> Set<Int> {
        var ends: [Int] = []  // The index of the smallest number that ends a run of each length.
        var previous = [Int](repeating: -1, count: numbers.count)
        for (index, number) in numbers.enumerated() {
            let length = firstLength(in: ends) { numbers[$0] >= number }
            if length > 0 { previous[index] = ends[length - 1] }
            if length == ends.count { ends.append(index) } else { ends[length] = index }
        }
        var run: Set<Int> = []
        var index = ends.last ?? -1
        while index >= 0 {
            run.insert(numbers[index])
            index = previous[index]
        }
        return run
    }

    /// Finds the first place whose number fulfils a condition, which all later ones fulfil too.
    private static func firstLength(in ends: [Int], where condition: (Int) -> Bool) -> Int {
        var (low, high) = (0, ends.count)
        while low < high {
            let middle = (low + high) / 2
            if condition(ends[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
