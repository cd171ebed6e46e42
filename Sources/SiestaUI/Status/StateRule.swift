/// A rule of a ``StatusOverlayModel``: a condition on its resources, and the state that is shown if the condition is
/// met.
///
/// The model checks the rules of its ``StatusOverlayModel/displayPriority`` in order. The first rule whose condition is
/// met determines the state. If no condition is met, the content is shown.
public enum StateRule: String, Sendable, CaseIterable {
    /// If any resource is loading, the state is *loading*.
    case loading
    /// If a request that was passed to ``StatusOverlayModel/trackManualLoad(_:)`` is running, the state is *loading*.
    case manualLoading
    /// If any resource has data, the content is shown.
    case anyData
    /// If all resources have data, the content is shown. Without resources, the condition is not met.
    case allData
    /// If any resource has an error, the state is *failure*, with the error of the first added resource that has an
    /// error.
    case error
}

extension [StateRule] {
    /// The default: `[.loading, .error, .anyData]`.
    public static let standard: [StateRule] = [.loading, .error, .anyData]

    /// Shows data whenever a resource has data: `[.anyData, .loading, .error]`. An error appears as a banner over the
    /// data.
    public static let dataFirst: [StateRule] = [.anyData, .loading, .error]

    /// Shows only the loads that a person has asked for: `[.manualLoading, .anyData, .error, .loading]`.
    public static let manualLoads: [StateRule] = [.manualLoading, .anyData, .error, .loading]
}
