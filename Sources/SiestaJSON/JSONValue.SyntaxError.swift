import Foundation

extension JSONValue {
    /// The reason why bytes cannot be read as JSON.
    package struct SyntaxError: LocalizedError, CustomStringConvertible, Sendable, Equatable {
        /// The kinds of errors.
        package enum Reason: Sendable, Equatable {
            /// The text ends inside a value.
            case unexpectedEnd
            /// JSON does not allow this byte at this position.
            case unexpectedByte
            /// A string with invalid UTF-8, a control character, an unknown escape or half a surrogate pair.
            case invalidString
            /// A number that does not follow RFC 8259 §6, or whose exponent is beyond ±1 000 000 000.
            case invalidNumber
            /// The name of a member has more than 30 combining marks in a row, for which a dictionary would take
            /// quadratic time.
            case tooManyMarks
            /// More nested arrays and objects than ``JSONValue/maximumDepth``.
            case tooDeep
        }

        /// The kind of this error.
        package let reason: Reason

        /// The position of the error, in bytes from the start.
        package let offset: Int

        /// The reason and the position, without any text of the input.
        package var description: String { "Not JSON that can be read: \(reason) at byte \(offset)" }

        /// The same text as ``description``.
        package var errorDescription: String? { description }
    }
}
