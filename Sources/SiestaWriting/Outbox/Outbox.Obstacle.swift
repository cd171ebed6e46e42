extension Outbox {
    /// The reason why a queued entry is not sent, apart from the network and the principal.
    public enum Obstacle: Hashable, Sendable {
        /// An earlier entry of the same scope is not finished.
        case earlierEntry(id: String)
        /// The entry that creates the resource is not confirmed.
        case creation(id: String)
        /// The entry that should have created the resource was dropped, or the server did not name a URL of the same origin.
        /// The app must drop the entry, or edit its address.
        case unknownAddress
    }
}
