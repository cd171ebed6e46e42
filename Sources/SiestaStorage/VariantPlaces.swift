import Foundation
import HTTPRules
import Siesta

/// The decision in which place of a URL each variant is written (RFC 9111 §4.1). Pure.
///
/// The first place takes a variant if it is free, has the same variant, or has a response with another `Vary`. Otherwise
/// the variant is written in its own place.
struct VariantPlaces {
    /// The response in the first place of a URL.
    struct First {
        let vary: String?
        let variant: String
        let isError: Bool
    }

    private var firstByKey: [RecordKey: First?] = [:]
    private let removesAll: Bool
    private let removedPartitions: Set<UInt128>

    /// Notes the changes of a batch that concern first places. They count even before they are made.
    init(_ changes: PendingChanges) {
        (removesAll, removedPartitions) = (changes.removesAll, changes.removedPartitions)
        for entry in changes.entries where entry.key.slot == 0 {
            switch entry.change {
            case .write(let entity): firstByKey[entry.key.storeKey] = First(entity.value, entry.key)
            case .remove: firstByKey[entry.key.storeKey] = .some(nil)
            case .confirm, .fill: break
            }
        }
    }

    /// Returns the key of the first place if the decision about the change needs its record.
    static func neededKey(for entry: PendingChanges.Entry) -> RecordKey? {
        switch entry.change {
        case .write: entry.key.slot == 0 ? nil : entry.key.storeKey(ofSlot: 0)
        case .fill: entry.key.storeKey
        case .confirm, .remove: nil
        }
    }

    /// Returns the key under which a variant is written, and the key of a record that it replaces in another place.
    ///
    /// - Parameter stored: returns the usable record in a place.
    mutating func place(
        of entity: Entity<Any>, under key: CacheKey, stored: (RecordKey) -> CacheRecord?
    ) -> (key: CacheKey, outdated: RecordKey?) {
        guard key.slot != 0 else { return (key, nil) }
        let first = first(of: key, stored)
        let new = First(entity, key)
        if let first, first.hasOtherVariant(than: new) { return (key, nil) }
        let place = key.at(slot: 0)
        firstByKey[place.storeKey] = new
        return (place, first?.variant == new.variant ? nil : key.storeKey)
    }

    /// Returns true if a success is in the first place. Then there may also be successes in the other places.
    mutating func hasSuccess(_ key: CacheKey, stored: (RecordKey) -> CacheRecord?) -> Bool {
        first(of: key, stored).map { !$0.isError } ?? false
    }

    private mutating func first(of key: CacheKey, _ stored: (RecordKey) -> CacheRecord?) -> First? {
        let place = key.storeKey(ofSlot: 0)
        if let known = firstByKey[place] { return known }
        let isRemoved = removesAll || removedPartitions.contains(place.partition)
        let first = isRemoved ? nil : stored(place).map { First($0) }
        firstByKey[place] = .some(first)
        return first
    }
}

extension VariantPlaces.First {
    fileprivate init(_ entity: Entity<Any>, _ key: CacheKey) {
        vary = entity.header(forKey: "Vary")
        variant = key.variant(namedBy: vary)
        isError = entity.content is ErrorBody
    }

    fileprivate init(_ record: CacheRecord) {
        (vary, variant, isError) = (record.headers["vary"], record.variant, record.isError)
    }

    fileprivate func hasOtherVariant(than other: Self) -> Bool {
        variant != other.variant && VaryField(vary) == VaryField(other.vary)
    }
}
