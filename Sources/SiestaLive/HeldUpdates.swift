/// The updates of one resource that wait, in their order. Their number and size are limited.
struct HeldUpdates {
    private var deliveries: [LiveDelivery] = []
    /// The bytes of all updates.
    private var size = 0

    /// The maximum number of updates.
    static let limit = 1000
    /// The maximum number of bytes.
    static let sizeLimit = 1 << 22

    var isEmpty: Bool { deliveries.isEmpty }

    /// Adds an update. Returns false if there are too many, so that the resource must be loaded.
    mutating func append(_ delivery: LiveDelivery) -> Bool {
        guard deliveries.count < Self.limit, size + delivery.update.size <= Self.sizeLimit else { return false }
        deliveries.append(delivery)
        size += delivery.update.size
        return true
    }

    /// Removes the updates that came before a replacement or removal of the data. Updates to newer versions stay. Returns the
    /// old updates, because their release may run code of the app.
    mutating func removeAll(before update: LiveUpdate) -> [LiveDelivery] {
        guard !isEmpty else { return [] }
        let old = removeAll()
        for delivery in old where delivery.update.isNewer(than: update) { _ = append(delivery) }
        return old
    }

    mutating func removeAll() -> [LiveDelivery] {
        size = 0
        return exchange(&deliveries, with: [])
    }
}
