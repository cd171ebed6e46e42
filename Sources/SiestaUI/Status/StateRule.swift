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
    /// If any resource has an error, the state is *failure*. If several resources have errors, the error of the
    /// resource that was added first is shown.
    case error
}

extension [StateRule] {
    /// The default: `[.loading, .error, .anyData]`. Each load covers the content.
    public static let standard: [StateRule] = [.loading, .error, .anyData]

    /// Shows the content as soon as any resource has data: `[.anyData, .loading, .error]`. An error then appears as a
    /// banner over the content.
    public static let dataFirst: [StateRule] = [.anyData, .loading, .error]

    /// The rules for an overlay that covers existing data only during loads that the user has requested:
    /// `[.manualLoading, .anyData, .error, .loading]`.
    public static let manualLoads: [StateRule] = [.manualLoading, .anyData, .error, .loading]
}
