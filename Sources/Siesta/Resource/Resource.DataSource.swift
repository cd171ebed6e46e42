extension Resource {
    /// Where the data of a resource came from last.
    public enum DataSource: String, Sendable, CustomStringConvertible {
        /// From the answer to a load.
        case network
        /// It was here, and the server has confirmed that it is current: with 304 (RFC 9110 §15.4.5), or by bringing
        /// nothing new.
        case revalidated
        /// From a persistent cache; the server has not been asked since.
        case cache
        /// From a local override.
        case local

        /// The name of the case.
        public var description: String { rawValue }
    }
}
