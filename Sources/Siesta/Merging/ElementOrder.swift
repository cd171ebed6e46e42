/// A list of identifiers into which others are placed. Each operation takes constant time.
struct ElementOrder {
    /// The neighbours of a listed identifier. The list is a ring, and `nil` is both its start and its end.
    private var following: [JSONValue?: JSONValue?] = [:]
    private var preceding: [JSONValue?: JSONValue?] = [:]

    /// Creates a list. The identifiers must be distinct.
    init(_ ids: some Sequence<JSONValue>) {
        var last: JSONValue?
        for id in ids {
            link(last, id)
            last = id
        }
        link(last, nil)
    }

    /// The identifiers in their order.
    var ids: [JSONValue] {
        Array(
            sequence(state: JSONValue?.none) { last in
                last = following[last] ?? nil
                return last
            })
    }

    /// Places an identifier that the list lacks: after `previous`, where nil is the start of the list; if the list lacks
    /// `previous`, before `next`; if it lacks both, at the end.
    mutating func place(_ id: JSONValue, after previous: JSONValue?, before next: JSONValue?) {
        var last = previous
        if following[previous] == nil {
            last = next.flatMap { preceding[$0] } ?? preceding[nil] ?? nil
        }
        let successor = following[last] ?? nil
        link(last, id)
        link(id, successor)
    }

    private mutating func link(_ first: JSONValue?, _ second: JSONValue?) {
        following[first] = .some(second)
        preceding[second] = .some(first)
    }
}
