/// A dictionary that forgets its oldest half when it has too many entries. Pure.
struct BoundedTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let limit: Int
    private var new: [Key: Value] = [:]
    private var old: [Key: Value] = [:]

    /// - Parameter limit: the maximum number of entries in each of the two halves.
    init(limit: Int) { self.limit = limit }

    subscript(key: Key) -> Value? {
        get { new[key] ?? old[key] }
        set {
            if new.count >= limit { (old, new) = (new, [:]) }
            new[key] = newValue
        }
    }
}
