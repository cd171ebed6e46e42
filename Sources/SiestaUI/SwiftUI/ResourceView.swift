#if canImport(SwiftUI)
public import SiestaCore
public import SwiftUI

/// A view that shows the content of a resource. Until there is content, it shows an activity indicator, or a failure
/// with a button to retry.
///
///     ResourceView(service.user("ada")) { user in
///         Text(user.name)
///     }
///
/// While the view is shown, it observes the resource, and loads it if it is stale. When the view disappears, the load
/// is cancelled unless the resource has other observers. The content can be a placeholder; see `Resource.placeholder`.
/// By default, if a later load fails, the content stays visible, and a banner shows the error.
///
/// - Note: This code was type-checked against stand-ins for Apple's frameworks, and has never been built with Xcode.
public struct ResourceView<Value: Sendable, Content: View>: View {
    private let resource: TypedResource<Value>
    private let priority: [StateRule]
    private let content: (Value) -> Content

    /// Creates a view of a typed resource. The closure `content` creates the view from the content of the resource.
    public init(
        _ resource: TypedResource<Value>, priority: [StateRule] = .dataFirst,
        @ViewBuilder content: @escaping (Value) -> Content
    ) {
        (self.resource, self.priority, self.content) = (resource, priority, content)
    }

    /// Creates a view of an untyped resource. `Value` is the expected type of its content.
    public init(
        _ resource: Resource, priority: [StateRule] = .dataFirst, @ViewBuilder content: @escaping (Value) -> Content
    ) {
        self.init(resource.typed(as: Value.self), priority: priority, content: content)
    }

    /// The content, the status, or an error if the content has an unexpected type.
    public var body: some View {
        ZStack {
            Color.clear
            if let value = resource.content {
                content(value)
            } else if let mismatch {
                StatusCover(StatusDisplay(cover: .failure, message: mismatch)) { resource.resource.load() }
            }
        }
        .statusOverlay(for: resource.resource, priority: priority)
    }

    /// The message for data of another type, which is no error of the untyped resource.
    private var mismatch: StatusMessage? {
        guard resource.resource.latestData != nil, resource.resource.latestError == nil else { return nil }
        return resource.error.map { StatusWords.current.message(for: $0) }
    }
}
#endif
