extension URITemplate: CustomStringConvertible, CustomReflectable {
    /// The names of the variables. Other parts of the template are left out, since they may contain secrets.
    public var description: String {
        PreparedText.line("URITemplate(variables: \(variableNames.joined(separator: ", ")))")
    }

    /// No children: `dump` shows only the ``description``.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
