import SiestaCore

/// The options of a change; see ``TypedResource/mutate(_:body:also:options:edit:resolve:)``.
public struct ChangeOptions: Sendable {
    /// The effect of a successful change on the data.
    public enum Settlement: Sendable {
        /// The content of the response becomes the content of the resource. If the response contains no content of the
        /// resource's type, the edit becomes part of the data, as with ``edit``, and the resource becomes stale. In
        /// both cases, the edits of other resources become part of the data of those resources.
        ///
        /// Some servers respond to a PATCH with only a part of the content, for example its identifier and version. If
        /// such a part can be decoded as the content type, it replaces the whole content. For such a server, use
        /// ``edit`` or ``reload``.
        case response
        /// The library loads the resources that the change edits. The change stays pending until these loads have
        /// ended. If the load of a resource fails, the edit becomes part of its data, and the data is stale.
        case reload
        /// The edit becomes part of the data. If the response contains an `ETag` or `Last-Modified`, later conditional
        /// changes use it. Loads do not use it as a condition, because the edited content does not come from the
        /// server.
        case edit
    }

    /// The name of the queue in which the change waits. The default is nil: the change waits in the queue of its own
    /// resource. Changes in the same queue are sent one after the other.
    public var scope: String?

    /// True if the change is sent at once, even if other changes are pending. The default is false. If two changes to a
    /// resource overlap and both succeed, the data is stale after the later response, because the order in which the
    /// server has processed the changes is unknown.
    public var isConcurrent = false

    /// True if this change may replace the previous change in the queue. The default is false.
    ///
    /// The previous change is replaced if it has not been sent yet, also sets this option, and has the same resource
    /// and method. The replaced change then ends together with this change. Use this option for a PUT of the whole
    /// content.
    public var coalesces = false

    /// The effect of a successful change on the data. The default is ``Settlement/response``. After a successful
    /// DELETE, the resource has no data, so this option applies only to the other resources that the change edits.
    public var settlement = Settlement.response

    /// The condition under which the server carries out the change. The default is nil: the change uses the
    /// ``Configuration/precondition`` that is configured for its resource and method.
    public var precondition: Precondition?

    /// True if the outbox copies a file that is the body of a durable change. The outbox accepts the change after it
    /// has copied the file, and removes the copy together with the change. The default is true.
    ///
    /// If this property is false, the outbox reads the original file when it sends the change. If the app has changed
    /// or removed the file by then, the outbox does not send the change. The change then waits until the app drops,
    /// edits or retries it.
    public var copiesFile = true

    /// Creates the default options.
    public init() {}
}
