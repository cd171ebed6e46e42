import SiestaCore

extension APIKey: CustomStringConvertible, CustomReflectable {
    /// The name of the type and of the field or the query item.
    public var description: String {
        switch place {
        case .header(let name): PreparedText.line("APIKey in the field \(name)", limit: 200)
        case .query(let name): PreparedText.line("APIKey in the query item \(name)", limit: 200)
        }
    }

    /// No children: `dump` shows only the ``description``.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
