public import Foundation
public import SiestaCore
import SiestaJSON

/// A change that the server has refused. Either the resource has changed on the server (status 409 or 412), or the
/// server requires a condition (status 428, RFC 6585 §3).
public struct ChangeConflict<Content: Sendable>: Sendable {
    /// The content with the edit of the change; nil if there was no content to edit. If a durable change has lost its
    /// ``base`` in a restart, this value is ``theirs`` with the edit.
    public let mine: Content?

    /// The content on which the change was based; nil if there was no content, or if the content had another type.
    /// After a restart, the base is known only if the cache contains the version that the condition of the
    /// change names.
    public let base: Content?

    /// The content that the server has now; nil if the resource does not exist, or if its content has another type.
    public let theirs: Content?

    /// The error of the change, with the response of the server.
    public let error: RequestError

    init(_ conflict: UntypedConflict) {
        mine = conflict.mine?.cast(to: Content.self)
        base = conflict.base?.cast(to: Content.self)
        theirs = conflict.theirs?.cast(to: Content.self)
        error = conflict.error
    }
}

/// The resolution of a ``ChangeConflict``. Create a resolution on the main actor.
@MainActor
public struct ConflictResolution<Content: Sendable> {
    let untyped: UntypedResolution

    /// The change fails, and its edit disappears.
    public static var giveUp: Self { Self(untyped: .giveUp) }

    /// The change is sent again without the condition, and overwrites the content of the server. If the server requires
    /// a condition, the change is sent with a condition on the server's current version. If this version has no strong
    /// `ETag` and no date, the condition is `If-Match: *`. The resolver is called again only if the server responds
    /// with 409.
    public static var force: Self { Self(untyped: .force) }

    /// The edit is applied to the content of the server. The change is then sent with the same body and with a
    /// condition on the server's version.
    ///
    /// Use this resolution if the body contains only the changed members, as in a partial PATCH. If the resource
    /// changes again on the server, the resolver is called again. If the resource no longer exists, the edit cannot be
    /// applied. The change then fails, or waits in the outbox for a decision of the app.
    public static var reapply: Self { Self(untyped: .reapply) }

    /// The change is replaced with other content and this body, and is sent with a condition on the server's version.
    /// If the body cannot be encoded, or an outbox cannot keep it, the conflict stays unresolved.
    public static func send(_ content: Content, body: RequestBody) -> Self {
        Self(untyped: .send(ReplacingEdit(content), body))
    }
}

extension ConflictResolution where Content: Encodable {
    /// The change is replaced with other content, and is sent with a condition on the server's version. The body is the
    /// content as JSON; see ``RequestBody/encoded(_:encoder:)``.
    public static func send(_ content: Content) -> Self { send(content, body: .encoded(content)) }
}

/// A ``ChangeConflict`` of content of any type.
struct UntypedConflict {
    let mine: Entity<Any>?
    let base: Entity<Any>?
    let theirs: Entity<Any>?
    let error: RequestError
}

enum UntypedResolution {
    case giveUp
    case force
    case reapply
    case send(any ContentEdit, RequestBody)
}

typealias UntypedResolver = @MainActor (UntypedConflict) async -> UntypedResolution

extension ChangeConflict where Content: Encodable {
    /// Encodes the contents as JSON with `encoder`, and merges them field by field. If only one side has changed a
    /// field, the field gets the value of this side.
    ///
    ///     user.mutate(.put, body: .encoded(edited)) {
    ///         $0 = edited
    ///     } resolve: { conflict in
    ///         let merge = try conflict.merge()
    ///         guard merge.conflicts.isEmpty, let merged = merge.value else { return .giveUp }
    ///         return try .send(merged.decode(as: User.self))
    ///     }
    ///
    /// Fields that the content type does not have are not part of the merge.
    ///
    /// - Parameters:
    ///   - ids: The members that identify the elements of arrays. The default is ``JSONIdentifiers/id``.
    ///   - side: The side whose value is used for a field that both sides have changed. The default is
    ///     ``ThreeWayMerge/Side/theirs``.
    ///   - encoder: The encoder of the contents.
    /// - Throws: The error of the encoder.
    public func merge(
        ids: JSONIdentifiers = .id, preferring side: ThreeWayMerge.Side = .theirs, encoder: JSONEncoder = JSONEncoder()
    ) throws -> ThreeWayMerge {
        func json(_ content: Content?) throws -> JSONValue? {
            try content.map { try JSONValue(encoding: $0, encoder: encoder) }
        }
        return try ThreeWayMerge(
            base: json(base), mine: json(mine), theirs: json(theirs), ids: ids, preferring: side)
    }
}
