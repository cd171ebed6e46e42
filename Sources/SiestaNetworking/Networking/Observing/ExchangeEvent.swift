package import Foundation

/// An event of an exchange, as the provider and the library pass it to each other.
package enum ExchangeEvent: Sendable {
    /// The head of a response.
    package struct Head: Sendable {
        package let status: Int
        /// The fields as far as the provider reports them. A name may occur several times.
        package let fields: [(name: String, value: String)]
        /// The URL of the response after all redirects; nil if the provider did not report it.
        package let url: URL?
    }

    /// The provider begins to read the body of the request, or reads it again from the start.
    case beganBody
    /// The provider has read a piece of the body of the request.
    case sent(Data)
    /// The head of a response whose body arrives in pieces.
    case received(Head)
    /// A piece of the body of the response.
    case receivedPiece(Data)
    /// The end of the exchange, with its result. Other events may follow only if the provider breaks its rules.
    case ended(Head?, body: Data?, error: (any Error)?)
}
