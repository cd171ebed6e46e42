/// Under what a ``StoredEntityCache`` keeps an entity: a resource, whose entity it is, and in which form.
public struct StoredEntityKey: Sendable, Hashable {
    /// Whose entity it is; empty in a cache that is not partitioned.
    public let principal: String
    /// The resource's absolute URL.
    public let address: String
    let coding: ContentCoding
    /// Those that requests of the resource have by its configuration: what a response may vary by. No part of the key.
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

    /// Whether both stand for the same record.
    public static func == (left: Self, right: Self) -> Bool {
        left.storeKey == right.storeKey && left.address == right.address && left.principal == right.principal
            && left.coding.name == right.coding.name
    }

    /// Whether this is where an entity belongs, and a request of the resource would get it.
    func isKey(of entity: StoredEntity) -> Bool {
        entity.address == address && entity.principal == principal && entity.coding == coding.name
            && entity.variant == variant(namedBy: entity.headers["vary"])
    }

    /// Whether a request of the resource would get what was stored under an equal key.
    func isKey(of entity: Entity<Any>, storedUnder key: StoredEntityKey) -> Bool {
        coding.fits(entity.content) && selects(entity, storedUnder: key)
    }

    /// Whether a request of the resource has the headers, as far as the response varies by them, of that which was made
    /// under an equal key.
    func selects(_ entity: Entity<Any>, storedUnder key: StoredEntityKey) -> Bool {
        guard let vary = entity.header(forKey: "Vary") else { return true }
        return variant(namedBy: vary) == key.variant(namedBy: vary)
    }

    /// Which of several responses a request of the resource gets.
    func variant(namedBy vary: String?) -> String { variant(namedBy: vary, in: requestHeaders) }

    /// Which of several responses a request with other headers gets.
    func variant(namedBy vary: String?, in requestHeaders: [String: String]) -> String {
        SelectingHeaders.variant(namedBy: vary, in: requestHeaders, of: principal, at: address)
    }

    /// Hashes the record's key.
    public func hash(into hasher: inout Hasher) { hasher.combine(storeKey) }
}
