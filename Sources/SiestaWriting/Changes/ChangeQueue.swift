import HTTPRules

/// The order in which changes are sent: one after the other in each scope. Pure.
struct ChangeQueue<Change: AnyObject> {
    private var scopes: [ExactText: [Change]] = [:]

    /// Adds a change behind the others of its scope.
    mutating func add(_ change: Change, to scope: ExactText) { scopes[scope, default: []].append(change) }

    /// The last change of a scope, if it waits for another one; nil otherwise.
    func lastWaiting(in scope: ExactText) -> Change? {
        guard let changes = scopes[scope], changes.count > 1 else { return nil }
        return changes.last
    }

    /// Removes a change. Returns the next change that is to be sent, if this change was the first.
    mutating func remove(_ change: Change, from scope: ExactText) -> Change? {
        guard let index = index(of: change, in: scope) else { return nil }
        scopes[scope]?.remove(at: index)
        if scopes[scope]?.isEmpty == true { scopes[scope] = nil }
        return index == 0 ? scopes[scope]?.first : nil
    }

    /// Looks at the last change first, because a wipe removes the last changes first.
    private func index(of change: Change, in scope: ExactText) -> Int? {
        guard let changes = scopes[scope] else { return nil }
        return changes.last === change ? changes.count - 1 : changes.firstIndex { $0 === change }
    }

    func isFirst(_ change: Change, in scope: ExactText) -> Bool { scopes[scope]?.first === change }

    /// True if no change of a scope is left.
    func isEmpty(_ scope: ExactText) -> Bool { scopes[scope] == nil }
}
