extension JSONValue {
    /// A number of any size and precision, kept exactly.
    ///
    /// Numbers are compared by their value, not by their spelling: `1`, `1.0` and `10e-1` are equal, and so are `0` and
    /// `-0`. Equal numbers have the same ``description``, which contains all significant digits.
    public struct Number: Sendable, Hashable {
        /// The magnitude of the largest exponent that is read. A larger one is no JSON number for this type.
        static let exponentLimit = 1_000_000_000

        /// A number that fits `Int64` is always an integer, so that equal numbers have equal storage.
        private enum Storage: Sendable, Hashable {
            case integer(Int64)
            case text(String)
        }

        private let storage: Storage

        /// Creates a number from an integer.
        public init(_ value: Int64) { storage = .integer(value) }

        /// Creates a number from an unsigned integer.
        public init(_ value: UInt64) {
            storage = Int64(exactly: value).map(Storage.integer) ?? .text(String(value))
        }

        /// Creates the number with the fewest digits whose nearest `Double` is `value`. Returns nil for infinities and
        /// NaN.
        public init?(_ value: Double) {
            guard value.isFinite else { return nil }
            self.init(text: value.description)
        }

        /// Creates a number from its spelling in JSON (RFC 8259 §6). Returns nil if `text` is not such a number, or if
        /// its exponent is beyond ±1 000 000 000.
        public init?(text: String) { self.init(spelling: ArraySlice(text.utf8)) }

        init?(spelling: ArraySlice<UInt8>) {
            guard let parts = Parts(spelling) else { return nil }
            storage = parts.integer.map(Storage.integer) ?? .text(parts.description)
        }
    }
}

extension JSONValue.Number: CustomStringConvertible {
    /// The value as an `Int64`; nil if the number is not an integer or does not fit.
    public var int64: Int64? {
        if case .integer(let value) = storage { value } else { nil }
    }

    /// The value as a `UInt64`; nil if the number is not an integer or does not fit.
    public var uint64: UInt64? {
        switch storage {
        case .integer(let value): UInt64(exactly: value)
        case .text(let text): UInt64(text)
        }
    }

    /// The nearest `Double`; infinite if the number is too large.
    public var double: Double {
        switch storage {
        case .integer(let value): Double(value)
        case .text(let text): Double(text) ?? .nan
        }
    }

    /// The spelling of this number in JSON.
    public var description: String {
        switch storage {
        case .integer(let value): String(value)
        case .text(let text): text
        }
    }
}
