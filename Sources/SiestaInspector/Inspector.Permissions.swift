extension Inspector {
    /// The permissions of an inspector's page.
    public enum Permissions: Sendable {
        /// The page shows the service, without contents, and changes nothing.
        case readOnly
        /// The page also shows contents, and offers actions: load, invalidate, wipe, replace content, and, with an
        /// ``InspectorNetwork``, change and record the network.
        case full
    }
}
