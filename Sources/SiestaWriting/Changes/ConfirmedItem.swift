import Foundation
package import SiestaCore
import SiestaJSON

/// The item of a list that a change creates or edits, as the server has confirmed it. The edits of pages read it: they show it
/// as soon as it is known.
@MainActor
package final class ConfirmedItem<Item: Sendable> {
    /// The item; nil before the success of the change, and if the response has not contained it.
    package private(set) var item: Item?
    private let draft: Item?
    private let resource: ((Item) -> Resource)?

    /// Creates the item of a change that edits it.
    package init() {
        (draft, resource) = (nil, nil)
    }

    /// Creates the item of a change that creates it.
    ///
    /// - Parameters:
    ///   - draft: the item that the app has made.
    ///   - resource: returns the resource of an item.
    package init(draft: Item, resource: @escaping (Item) -> Resource) {
        (self.draft, self.resource) = (draft, resource)
    }
}

/// A ``ConfirmedItem`` of any type.
@MainActor
protocol ItemConfirmation: AnyObject {
    /// True if the change creates the item.
    var isOfCreation: Bool { get }

    /// The item, or the draft of the app; nil if neither is known.
    var content: Any? { get }

    /// Takes the content of the item's resource.
    func take(_ content: Any)

    /// Takes the item that a response contains, and returns its resource. Returns nil if the response contains none.
    func resource(createdBy response: FinishedResponse) async -> Resource?
}

extension ConfirmedItem: ItemConfirmation {
    var isOfCreation: Bool { draft != nil }

    var content: Any? { item ?? draft }

    func take(_ content: Any) {
        if let content = content as? Item { item = content }
    }

    func resource(createdBy response: FinishedResponse) async -> Resource? {
        // Other successful responses, such as 202, describe the work of the server.
        guard let resource, [200, 201].contains(response.status) else { return nil }
        guard let created = await response.content(ofType: Item.self) as? Item else { return nil }
        item = created
        return resource(created)
    }
}

extension Resource {
    /// Makes a change of an item of a list, whose other edits are those of the pages.
    ///
    /// - Parameters:
    ///   - confirmed: Receives the item of the response.
    ///   - prepare: Is called with the change before it starts, and with each change that repeats it.
    package func changeItem<Item: Sendable>(
        _ method: RequestMethod, _ body: RequestBody?, _ edits: [ResourceEdit], _ options: ChangeOptions,
        isDurable: Bool, resolve: TypedResource<Item>.ConflictResolver? = nil, confirmed: ConfirmedItem<Item>?,
        prepare: @escaping (PendingChange) -> Void
    ) -> Change<Item> {
        let prepared = { (change: PendingChange) in
            change.confirmation = confirmed
            prepare(change)
        }
        return makeChange(method, body, edits, options, resolve, prepare: prepared) { $0.start(isDurable: isDurable) }
    }
}

extension RequestBody {
    /// The members that differ, as a JSON merge patch (RFC 7396). If such a patch cannot express the difference, because a
    /// member becomes null, the whole new value.
    package static func difference<Value: Encodable>(from old: Value, to new: Value) -> RequestBody {
        RequestBody { destination in
            let encoding = destination.encoding
            let (before, after) = try (
                JSONValue(parsing: encoding.encode(old)), JSONValue(parsing: encoding.encode(new))
            )
            let value = JSONMergePatch(from: before, to: after)?.value ?? after
            return Encoded(.data(value.data), contentType: "application/json")
        }
    }
}
