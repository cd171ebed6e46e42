import Foundation
import HTTPRules
import SiestaCore
import SiestaJSON

/// An update on its way to its resource, prepared outside the main actor.
struct LiveDelivery: Sendable {
    let resource: Resource
    let update: LiveUpdate
    /// The identifier of the event; empty if there is none.
    let id: String
    /// The data after the update; nil if it depends on the data before, or if the update has no data.
    var result: Result<Entity<Any>, any Error>? {
        get { storage.value }
        set { storage = UncheckedSendable(newValue) }
    }
    private var storage = UncheckedSendable<Result<Entity<Any>, any Error>?>(nil)

    init(_ resource: Resource, _ update: LiveUpdate, id: String) {
        (self.resource, self.update, self.id) = (resource, update, id)
    }
}

/// The data to which a patch is applied.
struct LiveBase: Sendable {
    let delivery: LiveDelivery
    let entity: UncheckedSendable<Entity<Any>>
    /// The ``Resource/State/dataRevision`` of the data.
    let revision: UInt32
    let encoder: ConfiguredEncoder
    let processing: ResponseProcessing
}

/// The error if a patch cannot be applied to the data.
struct UnusablePatch: Error {}

extension LiveDelivery {
    /// Makes the data of an update that does not depend on the data before.
    func prepared(by processing: ResponseProcessing) -> LiveDelivery {
        var delivery = self
        switch update.change {
        case .replace(let bytes, let contentType):
            delivery.result = processing.entity(of: bytes, contentType, id)
        case .content(let content):
            delivery.result = .success(.pushed(content, contentType: "application/binary", id))
        case .merge, .patch, .invalidate, .remove, .reset: break
        }
        return delivery
    }
}

extension LiveBase {
    /// Applies the patch.
    func applied() -> Result<Entity<Any>, any Error> {
        Result {
            guard let text = encoder.json(of: entity.value.content) else { throw UnusablePatch() }
            let base = try JSONValue(parsing: text)
            let new: JSONValue
            switch delivery.update.change {
            case .merge(let patch): new = try JSONMergePatch(JSONValue(parsing: patch)).applied(to: base)
            case .patch(let patch): new = try JSONPatch(JSONValue(parsing: patch)).applied(to: base)
            default: throw UnusablePatch()
            }
            let type = entity.value.contentType
            let isJSON = type.contains("json")
            return try processing.entity(of: new.data, isJSON ? type : "application/json", delivery.id).get()
        }
    }
}

extension ResponseProcessing {
    /// Runs bytes through the pipeline as if they were the body of a response.
    fileprivate func entity(of bytes: Data, _ contentType: String, _ id: String) -> Result<Entity<Any>, any Error> {
        let received = Entity<Any>.pushed(bytes, contentType: contentType, id)
        switch process(.success(received), hasNoContent: bytes.isEmpty).response {
        case .success(let entity): return .success(entity)
        case .failure(let error): return .failure(error)
        }
    }
}

extension Entity<Any> {
    /// Creates an entity that an event has brought. Its identifier is the place from which a stream goes on.
    fileprivate static func pushed(_ content: Any, contentType: String, _ id: String) -> Entity {
        let headers = EventStream.fieldValue(ofID: id).map { ["last-event-id": $0] } ?? [:]
        return Entity(content: content, contentType: contentType, headers: headers)
    }
}
