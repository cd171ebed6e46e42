/// The resources that become stale when a write succeeds: all resources with a tag, the written resource and its
/// collection, or only the written resource.
///
///     service.configure("/users", requestMethods: [.post]) { $0.invalidates = ["users"] }
///     service.configure("/users/*", requestMethods: [.put, .delete]) { $0.invalidates = ["teams", .collection] }
///
/// See ``Configuration/invalidates``.
public struct Invalidation: Hashable, Sendable, ExpressibleByStringLiteral {
    enum Kind: Hashable {
        case tag(String)
        case collection
        case resource
    }

    let kind: Kind

    private init(_ kind: Kind) {
        self.kind = kind
    }

    /// Creates an invalidation of all resources with this tag; see ``Configuration/tags``.
    public init(stringLiteral tag: String) {
        self.init(.tag(tag))
    }

    /// All resources with the tag `name`; see ``Configuration/tags``.
    public static func tag(_ name: String) -> Invalidation { Invalidation(.tag(name)) }

    /// The written resource and the collection that contains it, including variants of both URLs with any query. For
    /// example, a write to `/users/42` makes the resources `/users/42`, `/users` and `/users?page=2` stale. The URL of
    /// the collection is that of the written resource without its last path segment.
    ///
    /// After a DELETE, the written resource becomes stale, but is not loaded even if it is observed.
    public static let collection = Invalidation(.collection)

    /// The resource to which the write was sent, including variants of its URL with any query. If the resource is
    /// observed, it is loaded, even after a DELETE.
    public static let resource = Invalidation(.resource)
}
