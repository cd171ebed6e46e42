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
    private var members: [UInt64: [String: Member]] = [:]
    /// The values of ``members``; nil after a change.
    private var lists: [UInt64: [Member]] = [:]
    /// The groups of the resources by their addresses.
    private var places: [String: UInt64] = [:]

    /// The identifier of the last event that was carried out; nil if it is not known.
    var lastID: String?

    func member(at address: String, in group: Group) -> Member? { members[group.id]?[address] }

    mutating func members(of group: Group) -> [Member] {
        if let list = lists[group.id] { return list }
        let list = Array((members[group.id] ?? [:]).values)
        lists[group.id] = list
        return list
    }

    /// Adds a resource, or moves it to another group. Returns what must be released outside of a lock.
    mutating func add(_ resource: Resource, _ url: URL, to group: Group) -> Group? {
        guard places[resource.address] != group.id else { return nil }
        let old = remove(resource)
        if members[group.id] == nil { groups.append(group) }
        places[resource.address] = group.id
        members[group.id, default: [:]][resource.address] = Member(resource: resource, url: url)
        lists[group.id] = nil
        return old
    }

    /// Removes a resource, which the caller keeps alive. Returns what must be released outside of a lock.
    mutating func remove(_ resource: Resource) -> Group? {
        guard let id = places.removeValue(forKey: resource.address) else { return nil }
        lists[id] = nil
        members[id]?[resource.address] = nil
        guard members[id]?.isEmpty ?? true, let index = groups.firstIndex(where: { $0.id == id }) else { return nil }
        members[id] = nil
        return groups.remove(at: index)
    }
}
