extension URITemplate: CustomStringConvertible, CustomReflectable {
    /// The names of the variables. The description omits the literal text of the template, because it may contain
    /// secrets.
    public var description: String {
        PreparedText.line("URITemplate(variables: \(variableNames.joined(separator: ", ")))")
    }

    /// No children: `dump` shows only the ``description``.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
