import SiestaCore
import SiestaJSON

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
