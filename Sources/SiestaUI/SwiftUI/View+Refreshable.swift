#if canImport(SwiftUI)
public import SiestaCore
public import SwiftUI

extension View {
    /// Loads resources when the user pulls to refresh, and shows an activity indicator until all loads have ended.
    ///
    ///     PostList(posts)
    ///         .refreshable(posts)
    ///
    /// The resources are loaded even if they are fresh. If a load is already running, no second load is started. If
    /// SwiftUI cancels the action, for example because the view disappears, a load continues only if its resource has
    /// observers, or if another task waits for the load.
    ///
    /// - Note: This code was type-checked against stand-ins for Apple's frameworks, and has never been built with Xcode.
    public func refreshable(_ resources: Resource...) -> some View {
        refreshable { await Resource.refresh(resources) }
    }
}

extension Resource {
    /// Loads the resources, and waits until all loads have ended or the task is cancelled.
    fileprivate static func refresh(_ resources: [Resource]) async {
        let requests = resources.map { $0.joinLoad() }
        for request in requests { _ = await request.response }
    }
}
#endif
