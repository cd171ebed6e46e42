import SiestaCore
public import SiestaJSON

/// The merge of two versions of a JSON value that are based on the same earlier value.
///
/// The merged value has the changes of both versions. Objects are merged member by member, and arrays of identified
/// objects element by element; see ``JSONIdentifiers``. Other values are merged as a whole:
/// - If only one version changed, added or removed a value, the merged value follows this version.
/// - A value that both versions changed to equal values is not a conflict.
/// - Any other value that both versions changed is a conflict, even if one of them removed it.
/// - Elements of both versions are kept. An element that is new in `mine` follows the element that precedes it in
///   `mine`.
/// - If only one version changed the order of elements, its order is used. Two different new orders are a conflict.
///
/// A conflict does not stop the merge. The merged value has the value of the preferred side. The merge takes O(*n* log
/// *n*) time, where *n* is the size of the values.
public struct ThreeWayMerge: Sendable, Hashable {
    /// The author of a version.
    public enum Side: Sendable, Hashable {
        /// The version of this app.
        case mine
        /// The version of the server.
        case theirs
    }

    /// The merged value; nil if the whole value was removed.
    public let value: JSONValue?

    /// The parts that both versions changed differently, sorted by the names of members. The parts of arrays have the
    /// order of `theirs`, then of `mine`.
    public let conflicts: [Conflict]

    /// Merges two versions.
    ///
    /// - Parameters:
    ///   - base: The value that both versions changed; nil if both created it.
    ///   - mine: The value of this app; nil if the app removed it.
    ///   - theirs: The value of the server; nil if the server removed it.
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
