import SiestaJSON

/// The elements of an array by their identifiers.
struct IdentifiedElements {
    /// The elements in their order.
    let elements: [JSONValue]

    /// The identifier of each element.
    let ids: [JSONValue]

    /// The index of each identifier.
    let indexes: [JSONValue: Int]

    /// Returns nil if `value` is not an array of objects with distinct identifiers in the member `name`.
    init?(_ value: JSONValue?, by name: String) {
        guard let elements = value?.elements else { return nil }
        self.elements = elements
        ids = elements.compactMap { Self.id(of: $0, by: name) }
        indexes = Dictionary(zip(ids, 0...)) { first, _ in first }
        guard indexes.count == elements.count else { return nil }
    }

    subscript(id: JSONValue) -> JSONValue? { indexes[id].map { elements[$0] } }

    /// The identifier of an element: a string or a number, or else nil.
    static func id(of element: JSONValue, by name: String) -> JSONValue? {
        switch element.members?[name] {
        case .some(.string(let text)): .string(text)
        case .some(.number(let number)): .number(number)
        default: nil
        }
    }

    /// Returns the identifiers before and after the element at an index.
    func neighbours(at index: Int) -> (before: JSONValue?, after: JSONValue?) {
        (index > 0 ? ids[index - 1] : nil, index + 1 < ids.count ? ids[index + 1] : nil)
    }
}

/// A list of identifiers into which others are placed. Each operation takes constant time.
struct ElementOrder {
    /// The position that is both the start and the end of the list, which is a ring.
    private static let end = 0

    /// The identifiers by position; nil at the end.
    private var listed: [JSONValue?] = [nil]
    private var positions: [JSONValue: Int] = [:]
    private var following = [end]
    private var preceding = [end]

    /// Creates a list. The identifiers must be distinct.
    init(_ ids: some Sequence<JSONValue>) {
        for id in ids { insert(id, after: preceding[Self.end]) }
    }

    /// The identifiers in their order.
    var ids: [JSONValue] {
        var ids: [JSONValue] = []
        var position = following[Self.end]
        while let id = listed[position] {
            ids.append(id)
            position = following[position]
        }
        return ids
    }

    /// Places an identifier that the list lacks: after `previous`, where nil is the start of the list; if the list
    /// lacks `previous`, before `next`; if it lacks both, at the end.
    mutating func place(_ id: JSONValue, after previous: JSONValue?, before next: JSONValue?) {
        if let position = previous.map({ positions[$0] }) ?? Self.end {
            insert(id, after: position)
        } else {
            insert(id, after: preceding[next.flatMap { positions[$0] } ?? Self.end])
        }
    }

    private mutating func insert(_ id: JSONValue, after position: Int) {
        let (new, successor) = (listed.count, following[position])
        listed.append(id)
        positions[id] = new
        following.append(successor)
        preceding.append(position)
        following[position] = new
        preceding[successor] = new
    }
}

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
