package import SiestaJSON

/// The difference between two JSON values, which can be applied to a third one.
///
/// Objects are compared member by member, and arrays of identified objects element by element; see ``JSONIdentifiers``.
/// Everything deeper than ``depthLimit`` levels is compared as a whole. The time is linear in the sizes of the values;
/// for arrays whose order changed, n log n.
package struct JSONDelta: Sendable, Hashable {
    /// The number of levels that are compared part by part: 16. It bounds the depth of the stored form, which parsers
    /// limit.
    package static let depthLimit = 16

    /// The change at the top level; nil if the values were equal.
    let change: Change?

    init(change: Change?) { self.change = change }

    /// Creates the difference that turns `before` into `after`.
    package init(from before: JSONValue, to after: JSONValue, ids: JSONIdentifiers = .id) {
        change = Change(from: before, to: after, in: ids.scope)
    }

    /// Creates a difference that replaces any value; see ``replacesValue``.
    init(replacingBy value: JSONValue) { change = .set(value) }

    /// True if the result does not depend on the former value.
    var replacesValue: Bool { if case .set = change { true } else { false } }

    /// A delta with the same result for the former value, for which ``replacesValue`` is false.
    var withoutReplacement: JSONDelta {
        if case .set(let value) = change { JSONDelta(change: .add(value)) } else { self }
    }

    /// True if the values were equal, so that the delta changes nothing.
    package var isEmpty: Bool { change == nil }

    /// Returns `value` with this delta applied. If `value` is the former value, the result is the latter.
    ///
    /// The delta can be applied to any other value:
    /// - A changed member gets its new value, and a member that is already missing need not be removed.
    /// - An element that is missing is neither changed, moved nor inserted again.
    /// - An inserted element follows its former predecessor. Without this, it precedes its former successor, or is the
    ///   last element. If an element with its identifier exists, this element gets the members of the inserted one.
    /// - An added object keeps the members of an object that was added at the same place.
    package func applied(to value: JSONValue) -> JSONValue {
        change?.applied(to: value) ?? value
    }
}

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

extension JSONDelta {
    /// The changes of an array of identified objects.
    struct Elements: Sendable, Hashable {
        /// An element that is inserted, or, without a value, moved.
        struct Placement: Sendable, Hashable {
            let id: JSONValue
            let previous: JSONValue?
            let next: JSONValue?
            let value: JSONValue?
        }

        /// The name of the member that identifies elements.
        let name: String
        let removed: Set<JSONValue>
        let changed: [JSONValue: Change]

        /// The elements that are inserted or moved, in their new order.
        let placed: [Placement]
    }
}

extension JSONDelta.Elements {
    /// Finds the difference between two arrays; nil if they are equal.
    init?(
        from before: IdentifiedElements, to after: IdentifiedElements, by name: String, in scope: JSONIdentifiers.Scope
    ) {
        self.name = name
        removed = Set(before.ids.lazy.filter { after.indexes[$0] == nil })
        changed = Self.changes(from: before, to: after, in: scope.element)
        let unmoved = UnmovedElements.longestRun(after.ids.compactMap { before.indexes[$0] })
        placed = after.ids.indices.compactMap { index in
            let id = after.ids[index]
            let former = before.indexes[id]
            if let former, unmoved.contains(former) { return nil }
            let (previous, next) = after.neighbours(at: index)
            return Placement(
                id: id, previous: previous, next: next, value: former == nil ? after.elements[index] : nil)
        }
        if removed.isEmpty && changed.isEmpty && placed.isEmpty { return nil }
    }

    private static func changes(
        from before: IdentifiedElements, to after: IdentifiedElements, in scope: JSONIdentifiers.Scope
    ) -> [JSONValue: JSONDelta.Change] {
        var changes: [JSONValue: JSONDelta.Change] = [:]
        for (id, element) in zip(before.ids, before.elements) {
            guard let other = after[id] else { continue }
            changes[id] = JSONDelta.Change(from: element, to: other, in: scope)
        }
        return changes
    }

    /// Changes the elements of an array. Another value becomes an array if elements are inserted. Elements without an
    /// identifier, and those with the identifier of an earlier element, stay where they are.
    func applied(to value: JSONValue?) -> JSONValue? {
        let list = Listing(value?.elements ?? [], by: name)
        let inserted = placed.filter { $0.value != nil && list.elements[$0.id] == nil }
        guard value?.elements != nil || !inserted.isEmpty else { return value }
        return .array(arranged(list))
    }

    private func arranged(_ list: Listing) -> [JSONValue] {
        var elements = list.elements
        let moved = Set(placed.lazy.filter { $0.value == nil }.map(\.id))
        var order = ElementOrder(list.ids.lazy.filter { !removed.contains($0) && !moved.contains($0) })
        for placement in placed {
            let existing = elements[placement.id]
            if let value = placement.value { elements[placement.id] = existing?.overlaid(with: value) ?? value }
            if (existing == nil) == (placement.value != nil) {
                order.place(placement.id, after: placement.previous, before: placement.next)
            }
        }
        for (id, change) in changed {
            elements[id] = elements[id].flatMap { change.applied(to: $0) }
        }
        return order.ids.compactMap { elements[$0] }
    }
}

extension JSONDelta.Elements {
    /// The elements of any array by their identifiers. An element without one gets an array as its identifier, which no
    /// other element has.
    private struct Listing {
        private(set) var ids: [JSONValue] = []
        private(set) var elements: [JSONValue: JSONValue] = [:]

        init(_ elements: [JSONValue], by name: String) {
            for (index, element) in elements.enumerated() {
                var id = IdentifiedElements.id(of: element, by: name) ?? [.number(.init(Int64(index)))]
                if self.elements[id] != nil { id = [.number(.init(Int64(index)))] }
                ids.append(id)
                self.elements[id] = element
            }
        }
    }
}
