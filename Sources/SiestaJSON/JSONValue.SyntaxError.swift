public import Foundation

extension JSONValue {
    /// The reason why bytes cannot be read as JSON.
    public struct SyntaxError: LocalizedError, CustomStringConvertible, Sendable, Hashable {
        /// The kinds of errors.
        public enum Reason: Sendable, Hashable {
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
        public let reason: Reason

        /// The position of the error, in bytes from the start.
        public let offset: Int

        /// The reason and the position, without any text of the input.
        public var description: String { "Not JSON that can be read: \(reason) at byte \(offset)" }

        /// The same text as ``description``.
        public var errorDescription: String? { description }
    }
}
