/// The rules of an HTTP cache: what it stores, and how long responses are fresh (RFC 9111, RFC 5861, RFC 8246).
///
/// A pure value. Where the RFC leaves a choice, the policy takes the one with which less is fresh.
package struct CachePolicy: Sendable, Equatable {
    package enum Kind: Sendable {
        /// A cache of one user, such as an app.
        case `private`
        /// A cache of several users, such as a proxy.
        case shared
    }

    package var kind: Kind

    /// The heuristic lifetime as a part of the time since `Last-Modified`; 0.1 is the usual value (§4.2.2).
    package var heuristicFraction: Double

    /// The maximum of a heuristic lifetime, in seconds. The default is one day.
    package var heuristicLimit: Double

    package init(_ kind: Kind, heuristicFraction: Double = 0.1, heuristicLimit: Double = 86_400) {
        self.kind = kind
        self.heuristicFraction = heuristicFraction
        self.heuristicLimit = heuristicLimit
    }
}
