/// The key of an entity in a ``StoredEntityCache``: a resource, a principal, and a content coding.
public struct StoredEntityKey: Sendable, Hashable {
    /// The principal whose entity it is; empty in a cache that is not partitioned.
    public let principal: String
    /// The resource's absolute URL.
    public let address: String
    let coding: ContentCoding
    /// The headers of the resource's requests by its configuration, which a response may vary by. They are no part of
    /// the key.
    let requestHeaders: [String: String]
    let storeKey: EntityStoreKey

    package init(
        principal: String, address: String, coding: ContentCoding, requestHeaders: [String: String] = [:]
    ) {
        self.principal = principal
        self.address = address
        self.coding = coding
        self.requestHeaders = requestHeaders
        storeKey = EntityStoreKey(principal: principal, address: address, coding: coding.name)
    }

    /// Returns true if both keys name the same record.
    public static func == (left: Self, right: Self) -> Bool {
        left.storeKey == right.storeKey && left.address == right.address && left.principal == right.principal
            && left.coding.name == right.coding.name
    }

    /// Returns true if the entity belongs to this key, and a request of the resource would get it.
    func isKey(of entity: StoredEntity) -> Bool {
        entity.address == address && entity.principal == principal && entity.coding == coding.name
            && entity.variant == variant(namedBy: entity.headers["vary"])
    }

    /// Returns true if a request of the resource would get an entity that was stored under an equal key.
    func isKey(of entity: Entity<Any>, storedUnder key: StoredEntityKey) -> Bool {
        coding.fits(entity.content) && selects(entity, storedUnder: key)
    }

    /// Returns true if a request of the resource selects the same response as the request made under an equal key. It
    /// compares the headers that the response's `Vary` names.
    func selects(_ entity: Entity<Any>, storedUnder key: StoredEntityKey) -> Bool {
        guard let vary = entity.header(forKey: "Vary") else { return true }
        return variant(namedBy: vary) == key.variant(namedBy: vary)
    }

    /// Returns the variant of the response that a request of the resource gets.
    func variant(namedBy vary: String?) -> String { variant(namedBy: vary, in: requestHeaders) }

    /// Returns the variant of the response that a request with other headers gets.
    func variant(namedBy vary: String?, in requestHeaders: [String: String]) -> String {
        SelectingHeaders.variant(namedBy: vary, in: requestHeaders, of: principal, at: address)
    }

    /// Hashes the record's key.
    public func hash(into hasher: inout Hasher) { hasher.combine(storeKey) }
}
