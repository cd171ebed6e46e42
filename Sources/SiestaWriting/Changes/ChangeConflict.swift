public import Foundation
public import SiestaCore
import SiestaJSON

/// The conflicting versions of the content after the server has refused a change. Either the resource has changed on
/// the server (status 409 or 412), or the server requires a condition (status 428, RFC 6585 §3).
public struct ChangeConflict<Content: Sendable>: Sendable {
    /// The content that the app wants to save: the ``base`` with the edit applied; nil if there was no content to edit.
    /// If the base of a durable change is unknown after a restart, this value is ``theirs`` with the edit applied.
    public let mine: Content?

    /// The content on which the edit is based; nil if there was no content, or content of another type. After a
    /// restart, the base is known only if the cache contains the version that the condition of the change names.
    /// Otherwise, the value is nil.
    public let base: Content?

    /// The current content on the server; nil if the resource does not exist, or if its content has another type.
    public let theirs: Content?

    /// The error of the refused request. It contains the server's response.
    public let error: RequestError

    init(_ conflict: UntypedConflict) {
        mine = conflict.mine?.cast(to: Content.self)
        base = conflict.base?.cast(to: Content.self)
        theirs = conflict.theirs?.cast(to: Content.self)
        error = conflict.error
    }
}

/// The app's decision about a ``ChangeConflict``. Create a resolution on the main actor.
@MainActor
public struct ConflictResolution<Content: Sendable> {
    let untyped: UntypedResolution

    /// Gives up the change: it fails, and its edit disappears.
    public static var giveUp: Self { Self(untyped: .giveUp) }

    /// Sends the change again without a condition, so that it overwrites the content on the server. If the server
    /// requires a condition, the change is sent with a condition on the server's current version. If this version has
    /// neither a strong `ETag` nor a `Last-Modified` date, the condition is `If-Match: *`. After that, the resolver of
    /// this change is called again only if the server responds with 409.
    public static var force: Self { Self(untyped: .force) }

    /// Applies the edit to the content on the server, and sends the change again. The new request has the same body,
    /// and a condition on the server's version.
    ///
    /// Use this resolution if the body contains only the changed members, as is usual with PATCH. If the resource
    /// changes again on the server, the resolver is called again. If the resource no longer exists, the edit cannot be
    /// applied. The change then fails or, if it is durable, waits in the outbox until the app decides.
    public static var reapply: Self { Self(untyped: .reapply) }

    /// Replaces the edit with `content` and the body of the request with `body`, and sends the change again with a
    /// condition on the server's version. If the body cannot be encoded, or if an outbox cannot keep it, the conflict
    /// is not resolved. The change then fails or, if it is durable, waits in the outbox until the app decides.
    public static func send(_ content: Content, body: RequestBody) -> Self {
        Self(untyped: .send(ReplacingEdit(content), body))
    }
}

extension ConflictResolution where Content: Encodable {
    /// Replaces the edit with `content`, and sends the change again with a condition on the server's version. The body
    /// is the content as JSON; see ``RequestBody/encoded(_:encoder:)``.
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
    /// Encodes the three versions of the content as JSON, and merges them field by field. If only the app or only the
    /// server has changed a field, the merged field has the changed value.
    ///
    ///     user.mutate(.put, body: .encoded(edited)) {
    ///         $0 = edited
    ///     } resolve: { conflict in
    ///         let merge = try conflict.merge()
    ///         guard merge.conflicts.isEmpty, let merged = merge.value else { return .giveUp }
    ///         return try .send(merged.decode(as: User.self))
    ///     }
    ///
    /// Fields that the content type does not declare are not part of the merge.
    ///
    /// - Parameters:
    ///   - ids: The members that identify the elements of arrays. The default is ``JSONIdentifiers/id``.
    ///   - side: The side whose value is used for a field that the app and the server have changed differently. The
    ///     default is ``ThreeWayMerge/Side/theirs``.
    ///   - encoder: The encoder that converts the content to JSON.
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
