import Foundation
import HTTPRules

/// The data that one invalidation makes stale. Pure.
///
/// The tags of the app and the groups of RFC 9875 share one name space: a resource carries the tags of its
/// configuration, the tags that are computed from its data, and the groups that its response names. The groups in the
/// response to a write reach only resources of the same origin.
package struct InvalidationTarget {
    /// Tags, whatever the origin of the resource.
    var tags: Set<String> = []
    /// Tags of resources with this origin.
    var groups: Set<String> = []
    var origin: URLOrigin?
    /// URLs without query and without a slash at the end. All their variants with queries belong to the target.
    var paths: Set<String> = []
    /// Exact addresses, with the query.
    var addresses: Set<String> = []
    /// The paths of deleted resources, which are not loaded: that of the DELETE, and that to which it was redirected. If a URL
    /// has a query, the exact address, because such a DELETE often removes items of the collection at the path.
    var deleted: Set<String> = []
    /// A test of URLs, which is code of the app.
    var matches: ((URL) -> Bool)?

    var isEmpty: Bool {
        tags.isEmpty && groups.isEmpty && paths.isEmpty && addresses.isEmpty && matches == nil
    }
    var hasTags: Bool { !tags.isEmpty || !groups.isEmpty }

    /// Adds the data of another target. Returns false, and changes nothing, if one target cannot stand for both: a test of
    /// URLs and a deletion belong to one target only, and groups to one origin.
    package mutating func take(_ other: InvalidationTarget) -> Bool {
        guard matches == nil, other.matches == nil, deleted == other.deleted,
            groups.isEmpty || other.groups.isEmpty || origin == other.origin
        else { return false }
        if groups.isEmpty { origin = other.origin }
        tags.formUnion(other.tags)
        groups.formUnion(other.groups)
        paths.formUnion(other.paths)
        addresses.formUnion(other.addresses)
        return true
    }

    /// Returns true if the resource was deleted.
    @MainActor
    func isDeleted(_ resource: Resource) -> Bool {
        !deleted.isEmpty && (deleted.contains(resource.address) || deleted.contains(Self.path(of: resource.address)))
    }

    /// Returns true if a tag of a resource at `address` belongs to the target.
    func includes(tag: String, at address: String) -> Bool {
        tags.contains(tag) || groups.contains(tag) && URLOrigin(text: address) == origin
    }

    func includes(tags: Set<String>, at address: String) -> Bool {
        tags.contains { includes(tag: $0, at: address) }
    }

    /// Adds the resources that an invalidation names.
    ///
    /// - Parameters:
    ///   - address: the URL to which the write was sent.
    ///   - method: the method of the write.
    mutating func insert(_ invalidation: Invalidation, writtenTo address: String, method: String) {
        switch invalidation.kind {
        case .tag(let name): tags.insert(name)
        case .resource:
            paths.insert(Self.path(of: address))
            deleted = []
        case .collection:
            paths.insert(Self.path(of: address))
            if let collection = Self.collection(of: address) { paths.insert(collection) }
        }
    }

    // MARK: Addresses

    /// Returns an address without its query, its fragment, the suffix for a body, and a slash at the end.
    static func path(of address: String) -> String {
        let path = address.prefix { !"?# ".contains($0) }
        return String(path.hasSuffix("/") ? path.dropLast() : path)
    }

    /// Returns the path without its last segment; nil if there is no segment.
    static func collection(of address: String) -> String? {
        let path = path(of: address)
        guard let start = path.schemeSeparator?.upperBound, let slash = path[start...].lastIndex(of: "/") else {
            return nil
        }
        return String(path[..<slash])
    }
}
