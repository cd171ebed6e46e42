import SiestaCore

/// The result of a change to ``OutboxRules``: the changes that must be stored before anything else happens in the scopes
/// of the changed entries.
///
/// The caller stores the changes, and then passes the step to ``OutboxRules/stored(_:)``. Until then, no entry of these
/// scopes is sent.
package struct OutboxStep: Sendable {
    /// The changes for the store, in order.
    package let changes: [OutboxStoreChange]
    /// The entry after the step, even if it was confirmed or dropped. Nil if the step changes no entry, or several.
    package let entry: Outbox.Entry?
    let lanes: Set<OutboxRules.LaneKey>
    /// The URL of the resource that the entry has created; nil if there is none.
    package var createdURL: String?

    /// A step without changes.
    static let none = OutboxStep(changes: [], entry: nil, lanes: [])
}
