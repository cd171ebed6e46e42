#if canImport(SwiftUI)
public import SiestaCore
public import SwiftUI

/// A property wrapper that provides a SwiftUI view with the content of a resource. The value is nil if there is no
/// content.
///
///     struct Profile: View {
///         @ResourceState(service.user("ada")) var user: User?
///
///         var body: some View {
///             Text(user?.name ?? "")
///                 .statusOverlay(for: $user.resource)
///         }
///     }
///
/// SwiftUI evaluates the view again when the content changes. From the first evaluation of the view until SwiftUI
/// discards the state of the view, the property observes the resource, and keeps it in memory. At the first evaluation,
/// the resource is loaded if it is stale. When the state is discarded, the load is cancelled unless the resource has
/// other observers. If the view is later created with another resource, the property observes the new resource instead.
///
/// SwiftUI can keep the state of a view that is not visible, for example below another view in a navigation stack. The
/// property then continues to observe the resource. To observe a resource only while the view is visible, use
/// `statusOverlay(for:)` or ``ResourceView``.
///
/// - Note: This code was type-checked against stand-ins for Apple's frameworks, and has never been built with Xcode.
@propertyWrapper
public struct ResourceState<Content: Sendable>: DynamicProperty {
    @State private var presence = ResourcePresence()
    private let resource: TypedResource<Content>

    /// Creates the property for a typed resource.
    public nonisolated init(_ resource: TypedResource<Content>) {
        self.resource = resource
    }

    /// Creates the property for a resource whose content has the type `Content`.
    public nonisolated init(_ resource: Resource) {
        self.resource = resource.typed()
    }

    /// The newest content; nil if there is no content, or if the content has another type.
    @MainActor public var wrappedValue: Content? { resource.content }

    /// The resource, for its other properties and for actions such as `load()`.
    public var projectedValue: TypedResource<Content> { resource }

    /// Makes the property observe the resource. SwiftUI calls this method on the main thread before each evaluation of
    /// the view.
    public nonisolated func update() {
        let (presence, resource) = (presence, resource.resource)
        MainActor.assumeIsolated { presence.show(resource) }
    }
}

@available(*, unavailable)
extension ResourceState: Sendable {}
#endif
