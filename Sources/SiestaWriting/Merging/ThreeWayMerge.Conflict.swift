import SiestaCore
public import SiestaJSON

extension ThreeWayMerge {
    /// A part of a value that both versions changed differently.
    public struct Conflict: Sendable, Hashable {
        /// The kinds of conflicts.
        public enum Kind: Sendable, Hashable {
            /// The values conflict.
            case value
            /// The orders of the elements of an array conflict. The three values are arrays of the identifiers that all
            /// versions contain.
            case order
        }

        /// The kind of this conflict.
        public let kind: Kind

        /// The path of this part. The index of an element is its index in `theirs`, or in `mine` if `theirs` lacks it.
        public let path: JSONPointer

        /// The identifiers of the elements on the path, from the top level inwards. Unlike indexes, they are the same
        /// in all versions.
        public let identifiers: [JSONValue]

        /// The value in the base; nil if it was missing.
        public let base: JSONValue?

        /// The value of this app; nil if the app removed it.
        public let mine: JSONValue?

        /// The value of the server; nil if the server removed it.
        public let theirs: JSONValue?
    }
}
