#if canImport(SwiftUI)
public import SiestaCore
public import SwiftUI

extension View {
    /// Covers the view with an activity indicator while resources are being loaded, or with a message and a retry
    /// button after a failure.
    ///
    ///     PostList(posts)
    ///         .statusOverlay(for: profile, posts, priority: .dataFirst)
    ///
    /// While the view is shown, the resources are observed, and are loaded if they are stale. When the view disappears,
    /// the loads of resources without other observers are cancelled. A ``StatusOverlayModel`` decides what is shown.
    ///
    /// - Parameter priority: The rules that decide what is shown; see ``StatusOverlayModel/displayPriority``.
    /// - Note: This code was type-checked against stand-ins for Apple's frameworks, and has never been built with Xcode.
    public func statusOverlay(for resources: Resource..., priority: [StateRule] = .standard) -> some View {
        statusOverlay(for: resources, priority: priority)
    }

    /// Covers the view with the status of an array of resources, in the standard layout.
    public func statusOverlay(for resources: [Resource], priority: [StateRule] = .standard) -> some View {
        modifier(StatusOverlay(resources: resources, priority: priority) { StatusCover($0, retry: $1) })
    }

    /// Covers the view with the status of resources, in a custom layout.
    ///
    /// The closure `cover` creates the layout from a ``StatusDisplay``. Its second argument is the action for a retry
    /// button. If the display is ``StatusDisplay/content``, the cover must be empty.
    public func statusOverlay(
        for resources: [Resource], priority: [StateRule] = .standard,
        @ViewBuilder cover: @escaping (StatusDisplay, @escaping @MainActor () -> Void) -> some View
    ) -> some View {
        modifier(StatusOverlay(resources: resources, priority: priority, cover: cover))
    }
}

/// Shows the display of a model over a view, and tells the model when the view appears and disappears.
struct StatusOverlay<Cover: View>: ViewModifier {
    @State private var kept = Kept<StatusOverlayModel>()
    @State private var isShown = false
    let resources: [Resource]
    let priority: [StateRule]
    let cover: (StatusDisplay, @escaping @MainActor () -> Void) -> Cover

    init(
        resources: [Resource], priority: [StateRule],
        cover: @escaping (StatusDisplay, @escaping @MainActor () -> Void) -> Cover
    ) {
        (self.resources, self.priority, self.cover) = (resources, priority, cover)
    }

    private var status: StatusOverlayModel { kept.value { StatusOverlayModel(displayPriority: priority) } }

    func body(content: Content) -> some View {
        let isCovered = status.display.cover != .none
        content
            .opacity(isCovered ? 0 : 1)
            .allowsHitTesting(!isCovered)
            .accessibilityHidden(isCovered)
            .overlay { cover(status.display) { status.retry() } }
            .onAppear(perform: appear)
            .onDisappear(perform: disappear)
            .onChange(of: resources) { old, new in
                if isShown { replace(old, by: new) }
            }
            .onChange(of: priority) { status.displayPriority = $1 }
    }

    private func appear() {
        isShown = true
        replace([], by: resources)
    }

    private func disappear() {
        isShown = false
        replace(resources, by: [])
    }

    private func replace(_ old: [Resource], by new: [Resource]) {
        for resource in old where !new.contains(resource) {
            status.remove(resource)
            resource.cancelLoadIfUnobserved(afterDelay: ResourcePresence.grace)
        }
        for resource in new {
            status.add(resource)
            resource.loadIfNeeded()
        }
    }
}
#endif
