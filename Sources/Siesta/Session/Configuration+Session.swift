extension Configuration {
    /// False if the resource is the same for all users of a ``Session``. The default is true.
    ///
    /// When another user signs in or the user signs out, such a resource keeps its data, its requests and its polls. Its
    /// cache entries belong to no principal. Its requests carry the credential all the same, until it has expired. Only the configuration for
    /// GET counts.
    public var isPersonal: Bool {
        get { self[IsPersonalKey.self] }
        set { self[IsPersonalKey.self] = newValue }
    }
}

private struct IsPersonalKey: ConfigurationKey { static let defaultValue = true }
