/// A binary heap. Reading the smallest element takes O(1); adding and removing take O(log n).
struct MinimumHeap<Element: Comparable & Sendable>: Sendable {
    private var elements: [Element] = []

    init() {}

    /// Takes O(n log n).
    init(_ elements: some Sequence<Element>) {
        self.elements = elements.sorted()  // A sorted array is a heap.
    }

    /// The smallest element.
    var first: Element? { elements.first }

    var count: Int { elements.count }

    mutating func insert(_ element: Element) {
        var index = elements.endIndex
        elements.append(element)
        while index > 0, elements[index] < elements[(index - 1) / 2] {
            elements.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    @discardableResult
    mutating func removeFirst() -> Element? {
        guard let last = elements.popLast() else { return nil }
        guard let first = elements.first else { return last }
        elements[0] = last
        sink()
        return first
    }

    private mutating func sink() {
        var index = 0
        while let smaller = smallerChild(of: index), elements[smaller] < elements[index] {
            elements.swapAt(index, smaller)
            index = smaller
        }
    }

    private func smallerChild(of index: Int) -> Int? {
        let (left, right) = (2 * index + 1, 2 * index + 2)
        guard left < elements.count else { return nil }
        return right < elements.count && elements[right] < elements[left] ? right : left
    }
}
