package import Siesta

/// The changes that the server has not confirmed. A person decides about those that it has refused.
@MainActor
package final class ChangesModel: ScreenModel {
    package let monitor = ResourceMonitor()
    private let api: GitHubAPI

    /// Creates the model.
    package init(api: GitHubAPI) {
        self.api = api
    }

    package var crumbs: [String] { ["Changes"] }

    package var resources: [Resource] { [] }

    /// The changes in their order.
    package var entries: [Outbox.Entry] { api.changes }

    /// True if a change waits until an earlier one of the same resource has ended.
    package func waitsForAnother(_ entry: Outbox.Entry) -> Bool { api.outbox?.obstacle(for: entry.id) != nil }

    /// Sends a refused change again, or one that waits, at once.
    package func retry(_ entry: Outbox.Entry) {
        guard entry.state.needsDecision else { return api.outbox?.sendNow() ?? () }
        Task { try await api.outbox?.retry(entry.id) }
    }

    /// Gives a change up.
    package func drop(_ entry: Outbox.Entry) {
        Task { try await api.outbox?.drop(entry.id) }
    }
}
