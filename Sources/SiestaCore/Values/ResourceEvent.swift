/// An event that a resource sends to its observers.
public enum ResourceEvent: Hashable, Sendable {
    /// The observer that receives this event was just added. No other observer receives it.
    case observerAdded
    /// A load has started a request. If the load first waits for a persistent cache, observers receive this event only
    /// after the cache was read, and only if the cache has no fresh data.
    case requested
    /// A load was cancelled. The data and the error of the resource have not changed.
    case requestCancelled
    /// `latestData` has a new value, or is nil after a wipe.
    case newData(NewDataSource)
    /// A load succeeded without new data from the network: the server confirmed the current data, or a persistent cache
    /// had fresh data.
    case notModified
    /// A load failed. `latestError` is its error, and `latestData` has not changed.
    case error

    /// The source of new data.
    public enum NewDataSource: String, CustomStringConvertible, Sendable {
        /// The response to a load.
        case network
        /// A persistent cache.
        case cache
        /// A call to `overrideLocalData(with:)` or `overrideLocalContent(with:)`.
        case localOverride
        /// A call to `wipe()`, which has removed the data.
        case wipe

        /// The name of the case.
        public var description: String { rawValue }
    }
}

extension ResourceEvent: CustomStringConvertible {
    /// The name of the case. The source of new data follows in parentheses.
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
