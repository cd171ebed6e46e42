/// What happened to a resource.
public enum ResourceEvent: Hashable, Sendable {
    /// The observer that gets this has just been added; no other gets it.
    case observerAdded
    /// A load has started.
    case requested
    /// A load was cancelled; neither data nor error has changed.
    case requestCancelled
    /// `latestData` has a new value, or none after a wipe.
    case newData(NewDataSource)
    /// A load has succeeded without bringing new data; the present data is current.
    case notModified
    /// A load has failed; `latestError` tells why, and `latestData` is as it was.
    case error

    /// Where new data came from.
    public enum NewDataSource: String, CustomStringConvertible, Sendable {
        /// From the answer to a load.
        case network
        /// From a persistent cache.
        case cache
        /// From `overrideLocalData(with:)` or `overrideLocalContent(with:)`.
        case localOverride
        /// From `wipe()`: there is none now.
        case wipe

        /// The name of the case.
        public var description: String { rawValue }
    }
}

extension ResourceEvent: CustomStringConvertible {
    /// The name of the case, with the source of new data in parentheses.
    public var description: String {
        switch self {
        case .observerAdded: "observerAdded"
        case .requested: "requested"
        case .requestCancelled: "requestCancelled"
        case .newData(let source): "newData(\(source))"
        case .notModified: "notModified"
        case .error: "error"
        }
    }
}
