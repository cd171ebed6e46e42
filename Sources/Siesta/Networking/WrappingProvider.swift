/// A provider that changes what another provider does, for tests and tools. The service still uses what the other
/// provider can do with cookies and header fields.
package protocol WrappingProvider: NetworkingProvider {
    /// The other provider.
    @MainActor var wrapped: any NetworkingProvider { get }

    /// Returns a provider that does the same with another provider.
    @MainActor func wrapping(_ provider: any NetworkingProvider) -> any NetworkingProvider
}
