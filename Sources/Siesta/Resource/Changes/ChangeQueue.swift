/// The order in which changes are sent: one after the other in each scope. Pure.
struct ChangeQueue<ID: Hashable> {
    private var scopes: [String: [ID]] = [:]

    /// Adds a change behind the others of its scope. Returns true if it is the first, and is to be sent.
    mutating func add(_ id: ID, to scope: String) -> Bool {
        scopes[scope, default: []].append(id)
        return scopes[scope]?.count == 1
    }

    /// The last change of a scope, if it waits for another one; nil otherwise.
    func lastWaiting(in scope: String) -> ID? {
        guard let ids = scopes[scope], ids.count > 1 else { return nil }
        return ids.last
    }

    /// Removes a change. Returns the next change that is to be sent, if this change was the first.
    mutating func remove(_ id: ID, from scope: String) -> ID? {
        guard var ids = scopes[scope], let index = ids.firstIndex(of: id) else { return nil }
        ids.remove(at: index)
        scopes[scope] = ids.isEmpty ? nil : ids
        return index == 0 ? ids.first : nil
    }

    func isFirst(_ id: ID, in scope: String) -> Bool { scopes[scope]?.first == id }

    /// True if no change of a scope is left.
    func isEmpty(_ scope: String) -> Bool { scopes[scope] == nil }
}
