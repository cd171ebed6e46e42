extension Resource {
    /// The source of a resource's current data. If the server has confirmed the data since it arrived, the source is
    /// ``revalidated``.
    public enum DataSource: Sendable {
        /// The response to a load.
        case network
        /// Existing data that the server has confirmed to be current: with the status 304 (RFC 9110 §15.4.5), or with a
        /// response whose content is not new; see ``ChangeDetection``.
        case revalidated
        /// A persistent cache, or a call to ``Service/seed(_:for:)``. The server has not confirmed this data yet.
        case cache
        /// The app: a local override, a pending edit, or the result of a change if the server has not sent the changed
        /// content.
        case local
    }
}
