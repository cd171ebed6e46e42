/// The resources that a successful write makes stale: those with a tag, the collection that contains the written
/// resource, or the written resource itself.
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

    /// The resources that carry this tag; see ``Configuration/tags``.
    public init(stringLiteral tag: String) {
        self.init(.tag(tag))
    }

    /// The resources that carry this tag; see ``Configuration/tags``.
    public static func tag(_ name: String) -> Invalidation { Invalidation(.tag(name)) }

    /// The collection that contains the written resource, with any query: after a write to `/users/42`, the resources
    /// `/users` and `/users?page=2`. The collection is the URL without its last path segment.
    ///
    /// A POST is in most cases sent to the collection itself, in order to create an item. Therefore a POST makes the
    /// resource to which it was sent stale, too.
    public static let collection = Invalidation(.collection)

    /// The resource to which the write was sent, with any query.
    public static let resource = Invalidation(.resource)
}
