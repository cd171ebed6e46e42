import Foundation
import HTTPRules
import SiestaCore

/// The decision in which place of a URL each variant is written (RFC 9111 §4.1). Pure.
///
/// The first place takes a variant if it is free, has the same variant, or has a response with another `Vary`. Otherwise
/// the variant is written in one of its own two places: the place that has the same variant, or a free place, or the place
/// with the older variant.
struct VariantPlaces {
    /// The response in a place.
    struct Occupant {
        let vary: String?
        let variant: String
        let isError: Bool
        let timestamp: TimeInterval
    }

    private var occupants: [RecordKey: Occupant?] = [:]
    private let removesAll: Bool
    private let removedPartitions: Set<UInt128>

    /// Notes the changes of a batch that need no decision. They count even before they are made.
    init(_ changes: PendingOperations) {
        (removesAll, removedPartitions) = (changes.removesAll, changes.removedPartitions)
        for entry in changes.entries {
            switch entry.change {
            case .write(let entity):
                if entry.key.slot == 0 {
                    occupants[entry.key.storeKey] = Occupant(entity.value, entry.key)
                } else if entry.clearsPlace {
                    occupants[entry.key.storeKey] = .some(nil)
                }
            case .remove: occupants[entry.key.storeKey] = .some(nil)
            case .confirm, .fill: break
            }
        }
    }

    /// Returns the keys of the records that the decision about a change needs.
    static func neededKeys(for entry: PendingOperations.Entry) -> [RecordKey] {
        switch entry.change {
        case .write(let entity):
            guard entry.key.slot != 0 else { return [] }
            return [entry.key.storeKey(ofSlot: 0)] + ownPlaces(of: entity.value, entry.key).map(\.storeKey)
        case .fill: return (0...CacheRecord.slotCount).map { entry.key.storeKey(ofSlot: $0) }
        case .confirm, .remove: return []
        }
    }

    private static func ownPlaces(of entity: Entity<Any>, _ key: CacheKey) -> [CacheKey] {
        key.places(namedBy: entity.header(forKey: "Vary"))
    }

    /// Returns the key under which a variant is written, and the keys of records that must be removed.
    ///
    /// - Parameter stored: returns the usable record in a place.
    mutating func place(
        of entity: Entity<Any>, _ entry: PendingOperations.Entry, stored: (RecordKey) -> CacheRecord?
    ) -> (key: CacheKey, outdated: [RecordKey]) {
        let (first, new) = (entry.key.at(slot: 0), Occupant(entity, entry.key))
        guard entry.key.slot != 0 else {
            occupants[entry.key.storeKey] = new
            return (entry.key, [])
        }
        let own = Self.ownPlaces(of: entity, entry.key)
        let variants = own.map { occupant(of: $0, stored) }
        var place = first
        // A confirmation may have changed the fields that select the variant, so that it has no places of its own.
        if !own.isEmpty, let other = occupant(of: first, stored), other.hasOtherVariant(than: new) {
            let same = variants.firstIndex { $0?.variant == new.variant } ?? variants.firstIndex { $0 == nil }
            place = own[same ?? ((variants[0]?.timestamp ?? 0) <= (variants[1]?.timestamp ?? 0) ? 0 : 1)]
        }
        var outdated = zip(own, variants).compactMap { key, old in
            key != place && old?.variant == new.variant ? key.storeKey : nil
        }
        if entry.clearsPlace, entry.key != place { outdated.append(entry.key.storeKey) }
        occupants[place.storeKey] = new
        return (place, outdated)
    }

    /// Returns true if a success is in any place.
    mutating func hasSuccess(_ key: CacheKey, stored: (RecordKey) -> CacheRecord?) -> Bool {
        for slot in 0...CacheRecord.slotCount where occupant(of: key.at(slot: slot), stored)?.isError == false {
            return true
        }
        return false
    }

    private mutating func occupant(of place: CacheKey, _ stored: (RecordKey) -> CacheRecord?) -> Occupant? {
        let key = place.storeKey
        if let known = occupants[key] { return known }
        let isRemoved = removesAll || removedPartitions.contains(key.partition)
        let occupant = isRemoved ? nil : stored(key).map { Occupant($0) }
        occupants[key] = .some(occupant)
        return occupant
    }
}

extension VariantPlaces.Occupant {
    fileprivate init(_ entity: Entity<Any>, _ key: CacheKey) {
        vary = entity.header(forKey: "Vary")
        variant = key.variant(namedBy: vary)
        (isError, timestamp) = (entity.content is ErrorBody, entity.timestamp)
    }

    fileprivate init(_ record: CacheRecord) {
        (vary, variant, isError) = (record.headers["vary"], record.variant, record.isError)
        timestamp = record.timestamp
    }

    fileprivate func hasOtherVariant(than other: Self) -> Bool {
        variant != other.variant && VaryField(vary) == VaryField(other.vary)
    }
}
