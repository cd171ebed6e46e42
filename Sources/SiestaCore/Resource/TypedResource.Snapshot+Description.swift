extension TypedResource.Snapshot: CustomStringConvertible, CustomReflectable {
    /// The type of the content, the source, the error, and the flags that are set. Never contains the content.
    public var description: String {
        let parts = [
            content.map { "\(type(of: $0 as Any))" }, source?.description, error.map { "error: \($0)" },
            isLoading ? "loading" : nil, isStale ? "stale" : nil,
        ]
        return PreparedText.line("Snapshot(\(parts.compactMap { $0 }.joined(separator: ", ")))")
    }

    /// No children: `dump` shows only the ``description``.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
