import SiestaCore
import SiestaJSON

extension JSONDelta {
    /// The change of one value.
    indirect enum Change: Sendable, Hashable {
        /// Another value replaces the value.
        case set(JSONValue)
        /// A value is added where there was none.
        case add(JSONValue)
        /// The value is removed from its object.
        case remove
        /// Some members of an object change.
        case members([String: Change])
        /// Some elements of an array of identified objects change.
        case elements(Elements)
    }
}

extension JSONDelta.Change {
    /// Finds the difference between the values of a member; nil if they are equal.
    init?(from before: JSONValue?, to after: JSONValue?, in scope: JSONIdentifiers.Scope) {
        switch (before, after) {
        case (nil, nil): return nil
        case (nil, let after?): self = .add(after)
        case (_?, nil): self = .remove
        case (.object(let before)?, .object(let after)?) where scope.level < JSONDelta.depthLimit:
            self.init(from: before, to: after, in: scope)
        case (let before?, let after?):
            if scope.level < JSONDelta.depthLimit, let name = scope.name,
                let before = IdentifiedElements(before, by: name), let after = IdentifiedElements(after, by: name)
            {
                guard let elements = JSONDelta.Elements(from: before, to: after, by: name, in: scope) else {
                    return nil
                }
                self = .elements(elements)
            } else {
                guard before != after else { return nil }
                self = .set(after)
            }
        }
    }

    private init?(from before: [String: JSONValue], to after: [String: JSONValue], in scope: JSONIdentifiers.Scope) {
        var changes: [String: JSONDelta.Change] = [:]
        for (name, value) in after {
            changes[name] = Self(from: before[name], to: value, in: scope.member(name))
        }
        for name in before.keys where after[name] == nil {
            changes[name] = .remove
        }
        if changes.isEmpty { return nil }
        self = .members(changes)
    }

    /// Returns the value of a member after this change; nil if the member is missing.
    func applied(to value: JSONValue?) -> JSONValue? {
        switch self {
        case .set(let value): value
        case .add(let added): value?.overlaid(with: added) ?? added
        case .remove: nil
        case .members(let changes): Self.applied(changes, to: value)
        case .elements(let elements): elements.applied(to: value)
        }
    }

    /// Changes members. A value that is not an object becomes one, unless all members are only removed.
    private static func applied(_ changes: [String: JSONDelta.Change], to value: JSONValue?) -> JSONValue? {
        var members = value?.members ?? [:]
        for (name, change) in changes {
            members[name] = change.applied(to: members[name])
        }
        return members.isEmpty && value?.members == nil ? value : .object(members)
    }
}

extension JSONValue {
    /// Returns an object with the members of both objects, in which those of `added` count first. If one value is not
    /// an object, returns `added`.
    func overlaid(with added: JSONValue) -> JSONValue {
        guard case (.object(let members), .object(let others)) = (self, added) else { return added }
        return .object(members.merging(others) { $0.overlaid(with: $1) })
    }
}
