package import Foundation
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
    ///   - body: Makes the body, which is JSON; nil for none.
    ///   - confirmed: Receives the item of the response.
    package func changeItem<Item: Sendable>(
        _ method: RequestMethod, body: (Encoding) throws -> Data?, _ edits: [ResourceEdit], _ options: ChangeOptions,
        isDurable: Bool, resolve: TypedResource<Item>.ConflictResolver? = nil, confirmed: ConfirmedItem<Item>?
    ) -> TypedChange<Item> {
        let encoder = configuration(for: method).encoding
        let encoded = Result { try body(Encoding(encoder: encoder)) }
        let data = (try? encoded.get()) ?? nil
        let change = PendingChange(
            of: self, method, ChangeBody(data: data, contentType: data == nil ? nil : "application/json"), edits,
            options, resolve.map(TypedResource<Item>.untyped))
        change.confirmation = confirmed
        if case .failure(let error) = encoded {
            change.refuse(error)
        } else if isDurable {
            change.startInOutbox()
        } else {
            change.start()
        }
        return TypedChange(change: change)
    }

    /// The encoding of the body of a change.
    package struct Encoding {
        let encoder: ConfiguredEncoder

        /// Returns a value as JSON.
        package func json(_ value: some Encodable) throws -> Data { try encoder.encode(value) }

        /// Returns the members that differ, as a JSON merge patch (RFC 7396). If such a patch cannot express the difference,
        /// because a member becomes null, returns the whole new value.
        package func difference<Value: Encodable>(from old: Value, to new: Value) throws -> Data {
            let (old, new) = try (JSONValue(parsing: json(old)), JSONValue(parsing: json(new)))
            return (JSONMergePatch(from: old, to: new)?.value ?? new).data
        }
    }
}
