import SiestaCore
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
