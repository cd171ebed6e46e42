/// A JSON patch (RFC 6902): operations on a JSON value, of which all succeed or none has an effect.
///
/// Each operation takes time linear in the arrays and values that it changes.
package struct JSONPatch: Sendable, Hashable {
    /// The operations in their order.
    package let operations: [Operation]

    package init(_ operations: [Operation]) { self.operations = operations }

    /// Reads a patch from the JSON value of a body of the type `application/json-patch+json` (RFC 6902 §4).
    ///
    /// - Throws: A ``Failure`` if an operation is not one of the six, or lacks a member. Other members are ignored.
    package init(_ value: JSONValue) throws {
        guard let elements = value.elements else { throw Failure(reason: .invalidPatch, index: 0) }
        operations = try elements.enumerated().map { index, element in
            guard let operation = Operation(element) else { throw Failure(reason: .invalidPatch, index: index) }
            return operation
        }
    }

    /// Returns `value` with all operations applied.
    ///
    /// - Throws: A ``Failure`` for the first operation that is not possible, whose test fails, or whose result is
    ///   deeper than ``JSONValue/maximumDepth``, or which copies more than ``copyLimit`` values or ``copyLengthLimit`` bytes,
    ///   or moves more than ``moveLimit`` values.
    package func applied(to value: JSONValue) throws -> JSONValue {
        var copies = Copies()
        return try applied(to: value, &copies)
    }

    /// Does the same for one of several patches that are applied one after the other, and share the limits of copies.
    package func applied(to value: JSONValue, _ copies: inout Copies) throws -> JSONValue {
        var target = Target(value: value, copies: copies)
        defer { copies = target.copies }
        for (index, operation) in operations.enumerated() {
            do {
                try target.apply(operation)
            } catch let reason as Failure.Reason {
                throw Failure(reason: reason, index: index)
            }
        }
        return target.value
    }

    /// The maximum number of values that all `copy` operations add: 1 000 000. Copies of copies grow exponentially.
    package static let copyLimit = 1_000_000

    /// The maximum length of all that `copy` operations add, as JSON: 64 MB. Copies share their memory only until the result
    /// is written as text.
    package static let copyLengthLimit = 64 << 20

    /// The maximum number of values that all operations of a patch move, with the elements of arrays behind an insertion or a
    /// removal: 100 000 000. Otherwise a patch of some megabytes for a long array would take minutes.
    package static let moveLimit = 100_000_000
}

extension JSONPatch {
    /// What `copy` operations have added so far.
    package struct Copies: Sendable {
        private var count = 0
        private var length = 0

        package init() {}

        mutating func add(_ value: JSONValue) throws {
            count += value.count
            guard count <= JSONPatch.copyLimit else { throw Failure.Reason.tooLarge }
            length += value.length
            guard length <= JSONPatch.copyLengthLimit else { throw Failure.Reason.tooLarge }
        }
    }

    /// The reason why a patch cannot be read or applied.
    package struct Failure: Error, Sendable, Hashable {
        package enum Reason: Error, Sendable, Hashable {
            /// The patch does not follow RFC 6902 §3 and §4.
            case invalidPatch
            /// A path leads to no value.
            case missingTarget
            /// The value for a `test` is another one.
            case testFailed
            /// An operation moves a value into itself, or removes the whole.
            case impossible
            /// The result would be too deep, or too many values would be copied or moved.
            case tooLarge
        }

        package let reason: Reason

        /// The index of the operation.
        package let index: Int

        package init(reason: Reason, index: Int) { (self.reason, self.index) = (reason, index) }
    }
}
