import HTTPRules
import SiestaCore

/// The key of an entity in a ``PersistentCache``: a resource, a principal, and a content coding.
package struct CacheKey: Sendable, Hashable {
    /// The principal whose entity it is; empty in a cache that is not partitioned.
    package let principal: String
    /// The resource's absolute URL.
    package let address: String
    let coding: ContentCodec
    /// The headers of the request for which the key was made, or of a load of the resource. A response may vary by
    /// these headers. They are not a part of the key.
    let requestHeaders: [String: String]
    let storeKey: RecordKey
    /// The number of the place among the places for the variants of the URL; see ``SelectingHeaders``.
    let slot: UInt8

    package init(
        principal: String, address: String, coding: ContentCodec, requestHeaders: [String: String] = [:]
    ) {
        self.principal = principal
        self.address = address
        self.coding = coding
        self.requestHeaders = requestHeaders
        storeKey = RecordKey(principal: principal, address: address, coding: coding.name)
        slot = 0
    }

    private init(_ key: CacheKey, slot: UInt8) {
        (principal, address, coding, requestHeaders) = (key.principal, key.address, key.coding, key.requestHeaders)
        storeKey = key.storeKey(ofSlot: slot)
        self.slot = slot
    }

    /// The principal, for comparisons.
    var owner: Principal { Principal(principal) }

    /// Returns true if both keys have the same request headers, byte for byte.
    func hasRequestHeaders(of other: CacheKey) -> Bool {
        requestHeaders.count == other.requestHeaders.count
            && requestHeaders.allSatisfy { name, value in
                other.requestHeaders[name]?.hasSameBytes(as: value) ?? false
            }
    }

    /// Returns the key of another place for the variants of the URL.
    func at(slot: UInt8) -> CacheKey { slot == self.slot ? self : CacheKey(self, slot: slot) }

    /// Returns the key of the record in another place for the variants of the URL.
    func storeKey(ofSlot slot: UInt8) -> RecordKey {
        guard slot != self.slot else { return storeKey }
        return RecordKey(
            partition: storeKey.partition, name: RecordKey.name(address: address, coding: coding.name, slot: slot))
    }

    /// Returns true if both keys name the same record.
    package static func == (left: Self, right: Self) -> Bool {
        left.storeKey == right.storeKey && left.address == right.address && left.owner == right.owner
            && left.coding.name == right.coding.name
    }

    /// Returns true if the entity belongs to this key, and a request of the resource would receive it.
    func isKey(of entity: CacheRecord) -> Bool {
        entity.address == address && Principal(entity.principal) == owner && entity.coding == coding.name
            && isVariant(entity.variant, namedBy: entity.headers["vary"])
    }

    /// Returns true if a request of the resource would receive an entity that was stored under an equal key.
    func isKey(of entity: Entity<Any>, storedUnder key: CacheKey) -> Bool {
        (entity.content is ErrorBody || coding.fits(entity.content)) && selects(entity, storedUnder: key)
    }

    /// Returns true if a request of the resource selects the same response as the request that was made for an equal
    /// key. Compares the headers that the response's `Vary` names.
    func selects(_ entity: Entity<Any>, storedUnder key: CacheKey) -> Bool {
        guard let vary = entity.header(forKey: "Vary") else { return true }
        return variant(namedBy: vary) == key.variant(namedBy: vary)
    }

    /// Returns the variant of the response for a request of the resource.
    func variant(namedBy vary: String?) -> String { variant(namedBy: vary, in: requestHeaders) }

    /// Returns the variant of the response for a request with other headers.
    func variant(namedBy vary: String?, in requestHeaders: [String: String]) -> String {
        SelectingHeaders.variant(namedBy: vary, in: requestHeaders, of: principal, at: address)
    }

    /// Returns true if `variant` is the variant of the response for a request of the resource, in the form of this or an
    /// earlier version of the library.
    private func isVariant(_ variant: String, namedBy vary: String?) -> Bool {
        variant == self.variant(namedBy: vary)
            || vary != nil
                && variant
                    == SelectingHeaders.earlierVariant(namedBy: vary, in: requestHeaders, of: principal, at: address)
    }

    /// Returns the keys of the two places for a response to a request of the resource, if the first place of the URL has
    /// another variant. The second of them is used if the first has a third variant. Empty if the variant has no place of
    /// its own, because the request has none of the headers that `vary` names.
    func places(namedBy vary: String?) -> [CacheKey] {
        guard SelectingHeaders.haveValues(vary, in: requestHeaders, of: principal) else { return [] }
        let digits = variant(namedBy: vary).prefix(2).compactMap { $0.hexDigitValue.map { UInt8($0) } }
        let (count, home) = (CacheRecord.slotCount, digits[0] % CacheRecord.slotCount)
        return [home, (home + 1 + digits[1] % (count - 1)) % count].map { at(slot: 1 + $0) }
    }

    /// Returns the key of the place in which a read continues after this place, which has another variant; nil if there is
    /// none.
    func placeAfter(_ place: CacheKey, namedBy vary: String?) -> CacheKey? {
        let places = places(namedBy: vary)
        guard place.slot != 0 else { return places.first }
        guard let index = places.firstIndex(where: { $0.slot == place.slot }) else { return nil }
        return places[(index + 1)...].first
    }

    /// Hashes the record's key.
    package func hash(into hasher: inout Hasher) { hasher.combine(storeKey) }
}
