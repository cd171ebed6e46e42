extension Inspector {
    /// The permissions of an inspector's page.
    public enum Permissions: Sendable {
        /// The page shows the service, but not the contents of its resources, and offers no actions.
        case readOnly
        /// The page also shows contents. It offers actions that load, invalidate and wipe resources, and that replace
        /// their content. With an ``InspectorNetwork``, it can also add faults to the network, and record requests.
        case full
    }
}
