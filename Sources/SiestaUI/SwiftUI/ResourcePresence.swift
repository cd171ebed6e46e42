#if canImport(SwiftUI)
import Foundation
import SiestaCore

/// Observes a resource, and loads it if it is stale, as long as this object exists.
@MainActor
final class ResourcePresence {
    private var resource: Resource?

    /// The time after which a load that nothing observes is cancelled, in seconds. As in Siesta 1.5.
    nonisolated static let grace: TimeInterval = 0.05

    nonisolated init() {}

    deinit {
        guard let resource else { return }
        Task { @MainActor in resource.cancelLoadIfUnobserved(afterDelay: Self.grace) }
    }

    /// Replaces the resource in the next turn of the main actor, because SwiftUI does not allow changes of a state while
    /// it evaluates views.
    func show(_ new: Resource) {
        guard new !== resource else { return }
        let old = resource
        resource = new
        Task { @MainActor [weak self] in self?.replace(old, by: new) }
    }

    private func replace(_ old: Resource?, by new: Resource) {
        if let old {
            old.removeObservers(ownedBy: self)
            old.cancelLoadIfUnobserved(afterDelay: Self.grace)
        }
        guard new === resource else { return }
        new.addObserver(owner: self) { _, _ in }
        new.loadIfNeeded()
    }
}
#endif
