/// A JSON merge patch (RFC 7396): the members of an object that change, in which null removes a member.
package struct JSONMergePatch: Sendable, Hashable {
    /// The patch as a JSON value, whose text is a body of the type `application/merge-patch+json`.
    package let value: JSONValue

    package init(_ value: JSONValue) { self.value = value }

    /// Creates the patch that turns `before` into `after`. Arrays are replaced as a whole.
    ///
    /// Returns nil if a member that is added or changed has the value null, or contains an object with a null member:
    /// merge patches cannot express this. Null in members that stay, or inside arrays, has no effect.
    package init?(from before: JSONValue, to after: JSONValue) {
        switch Self.change(from: before, to: after) {
        case .none: self.init(after.members == nil ? after : [:])
        case .patch(let value): self.init(value)
        case .inexpressible: return nil
        }
    }

    /// Returns `value` with this patch applied (RFC 7396 §2).
    package func applied(to value: JSONValue?) -> JSONValue { Self.applied(self.value, to: value) }

    private static func applied(_ patch: JSONValue, to value: JSONValue?) -> JSONValue {
        guard case .object(let changes) = patch else { return patch }
        var members = value?.members ?? [:]
        for (name, change) in changes {
            members[name] = change == .null ? nil : applied(change, to: members[name])
        }
        return .object(members)
    }
}

extension JSONMergePatch {
    private enum Change {
        case none, inexpressible
        case patch(JSONValue)
    }

    private static func change(from before: JSONValue?, to after: JSONValue) -> Change {
        guard case .object(let members) = after else { return before == after ? .none : .patch(after) }
        let former = before?.members
        var changes = (former ?? [:]).filter { members[$0.key] == nil }.mapValues { _ in JSONValue.null }
        for (name, value) in members {
            switch change(from: former?[name], to: value) {
            case .none: continue
            case .inexpressible, .patch(.null): return .inexpressible
            case .patch(let change): changes[name] = change
            }
        }
        return changes.isEmpty && former != nil ? .none : .patch(.object(changes))
    }
}
