/// Under what a ``StoredEntityCache`` keeps an entity: a resource, whose entity it is, and in which form.
public struct StoredEntityKey: Sendable, Hashable {
    /// Whose entity it is; empty in a cache that is not partitioned.
    public let principal: String
    /// The resource's absolute URL.
    public let address: String
    let coding: ContentCoding
    let storeKey: EntityStoreKey

    package init(principal: String, address: String, coding: ContentCoding) {
        self.principal = principal
        self.address = address
        self.coding = coding
        storeKey = EntityStoreKey(principal: principal, address: address, coding: coding.name)
    }

    /// Whether both stand for the same record.
    public static func == (left: Self, right: Self) -> Bool {
        left.storeKey == right.storeKey && left.address == right.address && left.principal == right.principal
            && left.coding.name == right.coding.name
    }

    /// Whether this is where an entity belongs.
    func isKey(of entity: StoredEntity) -> Bool {
        entity.address == address && entity.principal == principal && entity.coding == coding.name
    }

    /// Hashes the record's key.
    public func hash(into hasher: inout Hasher) { hasher.combine(storeKey) }
}
