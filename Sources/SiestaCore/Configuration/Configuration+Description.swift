extension Configuration: CustomStringConvertible, CustomReflectable {
    /// The times in seconds, and the names of the headers. Never contains values of headers.
    public var description: String {
        let names = headers.keys.sorted().joined(separator: ", ")
        return PreparedText.line(
            "Configuration(expires after \(expirationTime) s, retries after \(retryTime) s, headers: \(names))")
    }

    /// No children: `dump` shows only the ``description``.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
