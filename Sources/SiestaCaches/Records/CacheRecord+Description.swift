import Foundation
import SiestaCore

extension CacheRecord: CustomStringConvertible, CustomReflectable {
    /// A description with the redacted URL, the coding and the size. It contains neither the principal nor the headers.
    public var description: String {
        "CacheRecord(\(PreparedText.url(address)), \(PreparedText.line(coding, limit: 200)), \(content.count) bytes)"
    }

    /// An empty mirror, so that `dump` shows only the ``description``.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension CacheKey: CustomStringConvertible, CustomReflectable {
    /// A description with the redacted URL and the coding. It contains neither the principal nor the headers.
    public var description: String {
        "CacheKey(\(PreparedText.url(address)), \(PreparedText.line(coding.name, limit: 200)))"
    }

    /// An empty mirror, so that `dump` shows only the ``description``.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension RecordChange: CustomStringConvertible, CustomReflectable {
    /// A description with the kind of the change, the key, and the lengths of the records.
    public var description: String {
        switch self {
        case .write(let key, let record): "write(\(key), \(record.count) bytes)"
        case .update(let key, let old, let new):
            "update(\(key), from \(old.count) bytes to \(new.map { "\($0.count) bytes" } ?? "nothing"))"
        case .remove(let key): "remove(\(key))"
        case .removePartition(let partition): "removePartition(\(String(partition, radix: 16)))"
        case .removeAll: "removeAll"
        }
    }

    /// An empty mirror, so that `dump` shows only the ``description``.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
