/// The entries that have left the rules of an outbox, because the server has confirmed them or the app has dropped them. Pure.
///
/// | entry | shown | stored |
/// |---|---|---|
/// | dropped, until its change has ended | yes | no |
/// | confirmed, until its change is part of the data | yes | if caches may have this data |
/// | confirmed, until the caches have its change | no | yes |
struct FinishedEntries {
    /// The entries that ``Outbox/entries`` contains, by their identities.
    private(set) var shown: [String: Outbox.Entry] = [:]
    /// The confirmed entries that the store contains, by their identities.
    private var stored: [String: Outbox.Entry] = [:]

    mutating func show(_ entry: Outbox.Entry) { shown[entry.id] = entry }

    mutating func hide(_ id: String) { shown[id] = nil }

    mutating func hideAll() { shown = [:] }

    mutating func store(_ entry: Outbox.Entry) { stored[entry.id] = entry }

    /// Returns the stored form of a confirmed entry, and forgets it. The caller removes the entry from the store, or passes the
    /// form to ``store(_:)`` again.
    mutating func takeStored(_ id: String) -> Outbox.Entry? { stored.removeValue(forKey: id) }

    /// The entries that are only stored.
    var onlyStored: [String] { stored.keys.filter { shown[$0] == nil }.sorted() }
}
