import SiestaCore
import SiestaJSON

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
