extension Resource: nonisolated CustomStringConvertible {
    /// The URL without the service's base URL, followed by letters for the state (loading, data, error). For example:
    /// `Resource(…/users/42)[LD]`.
    ///
    /// If the caller is not on the main thread, the URL is complete, and the letters are omitted. The values of query
    /// parameters are hidden, except for the parameters in ``SiestaLog/shownQueryItems``.
    public nonisolated var description: String {
        MainQueue.isCurrent
            ? MainActor.assumeIsolated { descriptionWithState } : "Resource(\(PreparedText.url(location)))"
    }

    private var descriptionWithState: String {
        var location = PreparedText.url(self.location)
        if let base = context.baseURL.map({ PreparedText.url($0) }), location.hasPrefix(base) {
            location = "…/" + location.dropFirst(base.count)
        }
        let flags = (state.isLoading ? "L" : "") + (hasShownData ? "D" : "") + (state.error != nil ? "E" : "")
        if let loadBody { location += loadBody.suffix.prefix(loadBody.method.rawValue.count + 10) }
        if isInvalid { location = "invalid URL" }
        return "Resource(\(location))[\(flags)]"
    }
}

extension Resource: nonisolated CustomReflectable {
    /// An empty mirror, so that `dump` shows only the ``description``.
    public nonisolated var customMirror: Mirror { Mirror(self, children: [:]) }
}
