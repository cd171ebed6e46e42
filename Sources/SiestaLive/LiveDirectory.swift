import Foundation
import SiestaCore

/// The resources of a stream for code outside the main actor, and the place of the stream among the events.
struct LiveDirectory: Sendable {
    /// Resources with the same configuration, whose source says what an event means for them.
    struct Group: Sendable {
        /// The number of the configuration.
        let id: UInt64
        let source: LiveSource
        let processing: ResponseProcessing
    }

    struct Member: Sendable {
        let resource: Resource
        let url: URL
    }

    private(set) var groups: [Group] = []
    /// The members by the groups and URLs. Resources whose loads have a body share a URL.
    private var members: [UInt64: [Substring: [Member]]] = [:]
    /// The values of ``members``; nil after a change.
    private var lists: [UInt64: [Member]] = [:]
    /// The groups of the resources by their addresses.
    private var places: [String: UInt64] = [:]

    /// The number of moves of members from one group to another. Events that are being read may miss such a member.
    private(set) var moveCount = 0

    /// The identifier of the last event that was carried out; nil if it is not known.
    var lastID: String?

    func members(at address: String, in group: Group) -> [Member] { members[group.id]?[address[...]] ?? [] }

    private static func place(_ resource: Resource) -> Substring { resource.location[...] }

    /// True if the members have more than one URL.
    var hasSeveralURLs: Bool {
        let places = members.values.lazy.flatMap(\.keys)
        return places.first.map { first in places.contains { $0 != first } } ?? false
    }

    mutating func members(of group: Group) -> [Member] {
        if let list = lists[group.id] { return list }
        let list = (members[group.id] ?? [:]).values.flatMap(\.self)
        lists[group.id] = list
        return list
    }

    /// Adds a resource, or moves it to another group. Returns what must be released outside of a lock.
    mutating func add(_ resource: Resource, _ url: URL, to group: Group) -> Group? {
        guard places[resource.address] != group.id else { return nil }
        if places[resource.address] != nil { moveCount += 1 }
        let old = remove(resource)
        if members[group.id] == nil { groups.append(group) }
        places[resource.address] = group.id
        members[group.id, default: [:]][Self.place(resource), default: []].append(Member(resource: resource, url: url))
        lists[group.id] = nil
        return old
    }

    /// Removes a resource, which the caller keeps alive. Returns what must be released outside of a lock.
    mutating func remove(_ resource: Resource) -> Group? {
        guard let id = places.removeValue(forKey: resource.address) else { return nil }
        lists[id] = nil
        let rest = members[id]?[Self.place(resource)]?.filter { $0.resource !== resource } ?? []
        members[id]?[Self.place(resource)] = rest.isEmpty ? nil : rest
        guard members[id]?.isEmpty ?? true, let index = groups.firstIndex(where: { $0.id == id }) else { return nil }
        members[id] = nil
        return groups.remove(at: index)
    }
}
