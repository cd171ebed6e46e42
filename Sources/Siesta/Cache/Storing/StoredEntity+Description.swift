import Foundation

extension StoredEntity: CustomStringConvertible, CustomReflectable {
    /// The URL without secrets, the coding and the size; neither the principal nor the headers.
    public var description: String {
        "StoredEntity(\(PreparedText.url(address)), \(PreparedText.line(coding, limit: 200)), \(content.count) bytes)"
    }

    /// No children: `dump` shows the ``description`` alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension StoredEntityKey: CustomStringConvertible, CustomReflectable {
    /// The URL without secrets and the coding; neither the principal nor the headers.
    public var description: String {
        "StoredEntityKey(\(PreparedText.url(address)), \(PreparedText.line(coding.name, limit: 200)))"
    }

    /// No children: `dump` shows the ``description`` alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
