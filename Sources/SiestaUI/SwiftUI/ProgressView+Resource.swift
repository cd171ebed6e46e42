#if canImport(SwiftUI)
public import SiestaCore
public import SwiftUI

extension ProgressView where Label == EmptyView, CurrentValueLabel == EmptyView {
    /// Creates a view that shows the progress of the loads of a resource.
    ///
    ///     if repositories.isLoading { ProgressView(repositories) }
    ///
    /// Until the progress can be estimated, the view is indeterminate. If no load is running, the bar is full if the
    /// resource has data, and empty otherwise. The view does not observe the resource, so it does not prevent a load
    /// from being cancelled. Whenever the progress changes, at most 30 times a second, SwiftUI re-evaluates the body
    /// that contains this view.
    ///
    /// - Note: This code was type-checked against stand-ins for Apple's frameworks, and has never been built with Xcode.
    @MainActor public init(_ resource: Resource) {
        self.init(value: LoadProgress.fraction(of: resource))
    }

    /// Creates a view that shows the progress of a model. If the model is not active, the view is empty.
    @MainActor public init(_ model: ProgressModel) {
        self.init(value: model.isActive ? model.fraction : 0)
    }
}
#endif
