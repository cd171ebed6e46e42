import SiestaCore

/// The options of a change; see ``TypedResource/mutate(_:body:also:options:edit:resolve:)``.
public struct ChangeOptions: Sendable {
    /// The way in which a successful change becomes part of the data.
    public enum Settlement: Sendable {
        /// The response to the request is the new content of the resource. If the response has no content of the
        /// resource's type, the edit becomes part of the data as with ``edit``, and the resource becomes stale. In both
        /// cases, the edits of other resources become part of their data.
        ///
        /// Some servers respond to a PATCH with a part of the content, for example with its identifier and version
        /// only. If the content type can be decoded from this part, use ``edit`` or ``reload``.
        case response
        /// The resources of the change are loaded. The change stays pending until the loads have ended. If a load
        /// fails, the edit becomes part of the data, and the data stays stale.
        case reload
        /// The edit becomes part of the data. An `ETag` or `Last-Modified` in the response becomes the version of the
        /// data. Later changes use this version as a condition. Loads do not use it, because the server has not sent
        /// the content.
        case edit
    }

    /// The name of the queue in which the change waits; nil for the address of the resource. Changes in one queue are
    /// sent one after the other. The default is nil.
    public var scope: String?

    /// True if the change is sent at once, even if other changes are pending. If this change overlaps with another
    /// change to the resource, and both succeed, the data of the later response is stale. The default is false.
    public var isConcurrent = false

    /// True if this change can replace the last change in the queue. The default is false.
    ///
    /// The last change is replaced if it has not been sent, also sets this option, and has the same resource and
    /// method. The replaced change ends together with this change. Use this option for a PUT of the whole content.
    public var coalesces = false

    /// The way in which a successful change becomes part of the data. After a DELETE, the resource has no data, and
    /// this option applies to the other resources. The default is ``Settlement/response``.
    public var settlement = Settlement.response

    /// The condition. The default is nil: the ``Configuration/precondition`` of the resource for the method applies.
    public var precondition: Precondition?

    /// True if the outbox copies the file that is the body of a durable change. The outbox accepts the change after
    /// copying the file, and removes the copy with the change. The default is true.
    ///
    /// If this property is false, the app keeps the file. The change is refused if the file is changed or removed
    /// before it is sent.
    public var copiesFile = true

    /// Creates the default options.
    public init() {}
}
