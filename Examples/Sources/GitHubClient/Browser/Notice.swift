/// The outcome of an action, if there is something to say about it.
package struct Notice: Equatable, Sendable {
    /// What a person may want to do next.
    package enum Next: Equatable, Sendable {
        case nothing
        /// Look at the changes that wait.
        case changes
        /// Reload, to see the effect.
        case reload
        /// Whatever helps after an error with this HTTP status.
        case afterError(statusCode: Int?)
    }

    package let text: String
    /// True if the action has failed.
    package let isBad: Bool
    package let next: Next

    package init(_ text: String, isBad: Bool = false, next: Next = .nothing) {
        (self.text, self.isBad, self.next) = (text, isBad, next)
    }
}
