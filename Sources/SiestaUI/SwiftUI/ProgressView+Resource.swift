#if canImport(SwiftUI)
public import SiestaCore
public import SwiftUI

extension ProgressView where Label == EmptyView, CurrentValueLabel == EmptyView {
    /// Creates a view that shows the progress of the loads of a resource.
    ///
    ///     if repositories.isLoading { ProgressView(repositories) }
    ///
    /// Until the progress can be estimated, the view is indeterminate. Without a load, the view is full if the resource
    /// has data, and empty if it has no data. The view does not observe the resource, and therefore does not keep a
    /// load running. Use the view in the body of another view. SwiftUI then evaluates the body whenever the progress
    /// changes, at most 30 times a second.
    ///
    /// - Note: This code was type-checked against stand-ins for Apple's frameworks, and was never built with Xcode.
    @MainActor public init(_ resource: Resource) {
        self.init(value: LoadProgress.fraction(of: resource))
    }

    /// Creates a view that shows the progress of a model. If the model is not active, the view is empty.
    @MainActor public init(_ model: ProgressModel) {
        self.init(value: model.isActive ? model.fraction : 0)
    }
}
#endif
