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
    /// The count when the update arrived. It has no effect on resources that were wiped since then.
    let made: WipeCount
    /// The data after the update; nil if it depends on the data before, or if the update has no data.
    var result: Result<Entity<Any>, any Error>? {
        get { storage.value }
        set { storage = UncheckedSendable(newValue) }
    }
    /// The fingerprint of a replacement; nil for other updates.
    private(set) var body: BodyFingerprint?
    private var storage = UncheckedSendable<Result<Entity<Any>, any Error>?>(nil)

    init(_ resource: Resource, _ update: LiveUpdate, id: String, made: WipeCount) {
        (self.resource, self.update, self.id, self.made) = (resource, update, id, made)
    }
}

/// The data of a resource, and the patches that are applied to it.
struct LiveBase: Sendable {
    /// The patches: the first one, and those that apply to the result of the one before.
    private(set) var deliveries: [LiveDelivery]
    let entity: UncheckedSendable<Entity<Any>>
    /// The ``LiveMember/computation``.
    let number: Int
    /// The ``Resource/State/dataRevision`` of the data.
    let revision: UInt32
    let encoder: ConfiguredEncoder
    let processing: ResponseProcessing

    @MainActor
    init(
        _ delivery: LiveDelivery, of entity: Entity<Any>, number: Int, revision: UInt32,
        in resolved: ConfigurationSet.Resolved
    ) {
        (deliveries, self.entity, self.number, self.revision) = (
            [delivery], UncheckedSendable(entity), number, revision
        )
        (encoder, processing) = (resolved.configuration.encoding, resolved.processing)
    }
}

/// The error if a patch cannot be applied to the data.
struct UnusablePatch: Error {}

extension LiveDelivery {
    /// Makes the data of an update that does not depend on the data before.
    func prepared(by processing: ResponseProcessing) -> LiveDelivery {
        var delivery = self
        // The entity has the time of the clock.
        resource.clock.whileCurrent {
            switch update.change {
            case .replace(let bytes, let contentType):
                delivery.body = BodyFingerprint(bytes, contentType: contentType)
                delivery.result = processing.entity(of: bytes, contentType, id)
            case .content(let content):
                delivery.result = .success(.pushed(content, contentType: "application/binary", id))
            case .merge, .patch, .invalidate, .remove, .reset: break
            }
        }
        return delivery
    }
}

extension LiveBase {
    var resource: Resource { deliveries[0].resource }

    /// Adds a patch if it surely applies to the result of the last one. The data is then converted once for all patches.
    mutating func add(_ delivery: LiveDelivery) -> Bool {
        guard let last = deliveries.last, delivery.update.follows(last.update) else { return false }
        deliveries.append(delivery)
        return true
    }

    /// Applies the patches. Returns the last delivery with the result of all.
    func applied() -> LiveDelivery {
        var last = deliveries[deliveries.count - 1]
        last.result = Result {
            guard let text = encoder.json(of: entity.value.content) else { throw UnusablePatch() }
            var value = try JSONValue(parsing: text)
            var copies = JSONPatch.Copies()
            for delivery in deliveries {
                switch delivery.update.change {
                case .merge(let patch): value = try JSONMergePatch(JSONValue(parsing: patch)).applied(to: value)
                case .patch(let patch): value = try JSONPatch(JSONValue(parsing: patch)).applied(to: value, &copies)
                default: throw UnusablePatch()
                }
            }
            // Small patches, one after the other, could make the data longer than any response.
            let data = value.data
            guard data.count <= max(text.count, Self.lengthLimit) else { throw UnusablePatch() }
            let type = entity.value.contentType
            let isJSON = type.contains("json")
            return try processing.entity(of: data, isJSON ? type : "application/json", last.id).get()
        }
        return last
    }

    /// The maximum length of data that patches make longer, in bytes: that of a response in memory.
    private static var lengthLimit: Int { 64 << 20 }
}

extension LiveUpdate {
    /// True if this is a patch of the data that another patch makes.
    func follows(_ last: LiveUpdate) -> Bool {
        guard isPatch, last.isPatch, base == nil || base == last.version else { return false }
        guard let version else { return true }
        return last.version.map { !version.isCovered(by: $0) } ?? false
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
    /// The field for the version that an update has named, so that caches keep it.
    private static let versionField = "siesta-live-version"

    /// The field for the stream whose place an entity names, because places in different streams mean nothing to each other.
    private static let streamField = "siesta-live-stream"

    /// The ``LiveStream/fingerprint`` of the stream that has brought the entity; nil if a load has brought it.
    var pushedBy: String? { headerFields[Self.streamField] }

    /// The version that the update named which has brought the entity; nil if it named none, or if a load has brought it.
    var pushedVersion: LiveVersion? { headerFields[Self.versionField].map { LiveVersion($0) } }

    /// Returns true for a field that an update of the data does not repeat: links, cursors and totals, and the rules for
    /// storing the data. Fields that describe the body of a response, or its arrival, do not apply to the update.
    private static func isKept(_ name: String) -> Bool {
        !fieldsOfResponse.contains(name) && !name.hasPrefix("content-") && !name.hasPrefix("siesta-")
    }

    private static let fieldsOfResponse: Set = [
        "etag", "last-modified", "last-event-id", "date", "age", "expires", "digest", "repr-digest", "set-cookie",
        "retry-after", "transfer-encoding", "location",
    ]

    /// The entity without the fields of an earlier response, which say nothing about the version of an update.
    var withoutKeptFields: Entity {
        guard pushedBy != nil else { return self }
        var entity = self
        entity.headers = headers.filter { !Self.isKept($0.key) }
        return entity
    }

    /// Adds what an event does not repeat: the version of its update, and fields of the data before. The place in the stream
    /// that a link to a hub names is not that of the event.
    mutating func keep(_ version: LiveVersion?, of stream: String, andFieldsOf old: Entity<Any>?) {
        var added = old?.headers.filter { Self.isKept($0.key) } ?? [:]
        added[Self.streamField] = stream
        added[Self.versionField] = version?.text
        if added["link"] != nil { added["last-event-id"] = "" }
        headers.merge(added) { own, _ in own }
        if let old { setCachingInfo(old.cachingInfo) }
    }

    /// Creates an entity that an event has brought. Its identifier is the place from which a stream goes on.
    fileprivate static func pushed(_ content: Any, contentType: String, _ id: String) -> Entity {
        let headers = EventStream.fieldValue(ofID: id).map { ["last-event-id": $0] } ?? [:]
        return Entity(content: content, contentType: contentType, headers: headers)
    }
}
