extension Resource {
    /// The source of a resource's current data. If the server has confirmed the data since it arrived, the source is
    /// ``revalidated``.
    public enum DataSource: Sendable {
        /// The response to a load.
        case network
        /// Existing data that the server has confirmed to be current: by a 304 (RFC 9110 §15.4.5), or by a response
        /// without new data.
        case revalidated
        /// A persistent cache. The server has not confirmed the data since it was read.
        case cache
        /// The app: a local override, a pending edit, or the result of a change whose content the server has not sent.
        case local
    }
}
