public import SiestaJSON

/// The result of merging two versions of a JSON value that are based on the same earlier value.
///
/// The merged value contains the changes of both versions. Objects are merged member by member, and arrays of objects
/// with identifiers element by element; see ``JSONIdentifiers``. Other values are merged as a whole. These rules apply:
/// - If only one version changed, added or removed a value, this change is part of the merged value.
/// - If both versions changed a value in the same way, there is no conflict.
/// - If the versions changed a value differently, there is a conflict, even if one version removed the value.
/// - A merged array contains the new elements of both versions. An element that is new in `mine` follows the element
///   that precedes it in `mine`.
/// - If only one version changed the order of elements, its order is used. If the versions changed the order
///   differently, there is a conflict.
///
/// A conflict does not stop the merge: the merged value contains the value or the order of the preferred side. The
/// merge takes O(*n* log *n*) time, where *n* is the size of the values.
public struct ThreeWayMerge: Sendable {
    /// The origin of a version: the app or the server.
    public enum Side: Sendable, Hashable {
        /// The version of this app.
        case mine
        /// The version of the server.
        case theirs
    }

    /// The merged value; nil if the whole value was removed.
    public let value: JSONValue?

    /// The parts that the versions changed differently. Members of objects are sorted by name. Elements of arrays have
    /// the order of `theirs`, followed by elements that only `mine` contains.
    public let conflicts: [Conflict]

    /// Merges two versions of a value.
    ///
    /// - Parameters:
    ///   - base: The earlier value on which both versions are based; nil if there was no earlier value.
    ///   - mine: The app's version; nil if the app removed the value.
    ///   - theirs: The server's version; nil if the server removed the value.
    ///   - ids: The members that identify the elements of arrays. The default is ``JSONIdentifiers/id``.
    ///   - side: The side whose value is used for a conflict. The default is ``Side/theirs``.
    public init(
        base: JSONValue?, mine: JSONValue?, theirs: JSONValue?, ids: JSONIdentifiers = .id,
        preferring side: Side = .theirs
    ) {
        var merger = Merger(side)
        value = merger.merged(Versions(base: base, mine: mine, theirs: theirs), in: ids.scope)
        conflicts = merger.conflicts
    }
}

extension ThreeWayMerge {
    /// Three versions of a value or of its parts.
    struct Versions<Part> {
        let base: Part
        let mine: Part
        let theirs: Part

        func map<Other>(_ transform: (Part) -> Other) -> Versions<Other> {
            Versions<Other>(base: transform(base), mine: transform(mine), theirs: transform(theirs))
        }
    }
}

extension ThreeWayMerge {
    /// A part of a value that the two versions changed differently.
    public struct Conflict: Sendable, Hashable {
        /// True if the conflict concerns the order of the elements of an array; false if it concerns a value. If true,
        /// ``base``, ``mine`` and ``theirs`` are arrays with the identifiers of the elements that all three versions
        /// contain.
        public let isOfOrder: Bool

        /// The path from the whole value to this part. An index on the path is the position of an element in `theirs`,
        /// or in `mine` if `theirs` does not contain the element.
        public let path: JSONPointer

        /// The identifiers of the array elements on the path, from the outermost to the innermost. Unlike indexes,
        /// identifiers are the same in all versions.
        public let identifiers: [JSONValue]

        /// The value of this part in the base; nil if the base does not contain this part.
        public let base: JSONValue?

        /// The value of this part in the app's version; nil if the app removed this part.
        public let mine: JSONValue?

        /// The value of this part in the server's version; nil if the server removed this part.
        public let theirs: JSONValue?
    }
}

extension ThreeWayMerge {
    /// A merge in progress. It visits each part once.
    struct Merger {
        private(set) var conflicts: [Conflict] = []
        private let preferred: Side
        private var path: [String] = []
        private var identifiers: [JSONValue] = []

        init(_ preferred: Side) { self.preferred = preferred }
    }
}

extension ThreeWayMerge.Merger {
    typealias Versions = ThreeWayMerge.Versions

    /// Merges the versions of one value; nil stands for a missing value.
    mutating func merged(_ versions: Versions<JSONValue?>, in scope: JSONIdentifiers.Scope) -> JSONValue? {
        if let members = Self.members(of: versions) { return .object(merged(members, in: scope)) }
        if let name = scope.name, let elements = Self.elements(of: versions, by: name) {
            return .array(merged(elements, in: scope.element))
        }
        if versions.mine == versions.theirs || versions.mine == versions.base { return versions.theirs }
        if versions.theirs == versions.base { return versions.mine }
        return conflict(versions)
    }

    /// Returns the members of three objects; nil for other values. If both versions added an object, the base is empty.
    private static func members(of versions: Versions<JSONValue?>) -> Versions<[String: JSONValue]>? {
        guard let mine = versions.mine?.members, let theirs = versions.theirs?.members else { return nil }
        switch versions.base {
        case .object(let base)?: return Versions(base: base, mine: mine, theirs: theirs)
        case nil: return Versions(base: [:], mine: mine, theirs: theirs)
        default: return nil
        }
    }

    private static func elements(
        of versions: Versions<JSONValue?>, by name: String
    ) -> Versions<IdentifiedElements>? {
        guard let base = IdentifiedElements(versions.base, by: name),
            let mine = IdentifiedElements(versions.mine, by: name),
            let theirs = IdentifiedElements(versions.theirs, by: name)
        else { return nil }
        return Versions(base: base, mine: mine, theirs: theirs)
    }

    private mutating func merged(
        _ versions: Versions<[String: JSONValue]>, in scope: JSONIdentifiers.Scope
    ) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        for name in Set(versions.mine.keys).union(versions.theirs.keys).sorted() {
            path.append(name)
            members[name] = merged(versions.map { $0[name] }, in: scope.member(name))
            path.removeLast()
        }
        return members
    }

    /// Records a conflict and returns the value of the preferred side.
    private mutating func conflict(
        _ versions: Versions<JSONValue?>, isOfOrder: Bool = false
    ) -> JSONValue? {
        conflicts.append(
            ThreeWayMerge.Conflict(
                isOfOrder: isOfOrder, path: JSONPointer(tokens: path), identifiers: identifiers, base: versions.base,
                mine: versions.mine, theirs: versions.theirs))
        return preferred == .mine ? versions.mine : versions.theirs
    }
}

extension ThreeWayMerge.Merger {
    private mutating func merged(
        _ versions: Versions<IdentifiedElements>, in scope: JSONIdentifiers.Scope
    ) -> [JSONValue] {
        let (mine, theirs) = (versions.mine, versions.theirs)
        let moved = movedElements(versions)
        var elements: [JSONValue: JSONValue] = [:]
        for id in theirs.ids + mine.ids.lazy.filter({ theirs.indexes[$0] == nil }) {
            elements[id] = merged(versions, id, in: scope)
        }
        var order = ElementOrder(theirs.ids.lazy.filter { elements[$0] != nil && !moved.contains($0) })
        for (index, id) in mine.ids.enumerated() where elements[id] != nil {
            guard theirs.indexes[id] == nil || moved.contains(id) else { continue }
            let (previous, next) = mine.neighbours(at: index)
            order.place(id, after: previous, before: next)
        }
        return order.ids.compactMap { elements[$0] }
    }

    private mutating func merged(
        _ versions: Versions<IdentifiedElements>, _ id: JSONValue, in scope: JSONIdentifiers.Scope
    ) -> JSONValue? {
        path.append(String(versions.theirs.indexes[id] ?? versions.mine.indexes[id] ?? 0))
        identifiers.append(id)
        defer {
            path.removeLast()
            identifiers.removeLast()
        }
        return merged(versions.map { $0[id] }, in: scope)
    }

    /// Returns the elements of `theirs` that must be moved, because the order of `mine` counts.
    private mutating func movedElements(_ versions: Versions<IdentifiedElements>) -> Set<JSONValue> {
        let (mine, theirs) = (versions.mine, versions.theirs)
        let orders = versions.map { version in
            version.ids.filter { id in
                versions.base.indexes[id] != nil && mine.indexes[id] != nil && theirs.indexes[id] != nil
            }
        }
        if orders.mine == orders.base { return [] }
        if orders.theirs != orders.base && orders.theirs != orders.mine {
            _ = conflict(orders.map { JSONValue.array($0) }, isOfOrder: true)
            if preferred == .theirs { return [] }
        }
        let unmoved = UnmovedElements.longestRun(mine.ids.compactMap { theirs.indexes[$0] })
        return Set(mine.ids.filter { id in theirs.indexes[id].map { !unmoved.contains($0) } ?? false })
    }
}
