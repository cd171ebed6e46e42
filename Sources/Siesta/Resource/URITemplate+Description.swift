extension URITemplate: CustomStringConvertible, CustomReflectable {
    /// The names of the variables; the rest of a template may hold secrets.
    public var description: String {
        PreparedText.line("URITemplate(variables: \(variableNames.joined(separator: ", ")))")
    }

    /// No children: `dump` shows the ``description`` alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
