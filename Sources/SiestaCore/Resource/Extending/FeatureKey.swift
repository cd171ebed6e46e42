/// An option that turns on a ``ServiceExtension``.
package protocol FeatureKey: ConfigurationKey {
    /// Prepares the service for a configuration for GET in which the option was set, perhaps to its default.
    @MainActor static func prepare(_ context: ResourceContext, for configuration: Configuration)
}
