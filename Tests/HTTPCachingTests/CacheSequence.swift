import Testing

/// A sequence of requests to a scripted origin, and the results that the rules of HTTP caching lead to.
struct CacheSequence: Sendable {
    /// The strength of the rule that a sequence tests.
    enum Kind: String, Sendable {
        /// The RFC says MUST or MUST NOT.
        case required
        /// The RFC says SHOULD, or the result is optimal: a request less, or data in place of an error.
        case expected
        /// The RFC leaves the choice. The sequence documents the choice of the library.
        case chosen
    }

    let id: String
    /// The section of the RFC: "9111 §4.2.1".
    let section: String
    let kind: Kind
    let steps: [Step]

    init(_ id: String, _ section: String, _ kind: Kind, _ steps: Step...) {
        (self.id, self.section, self.kind, self.steps) = (id, section, kind, steps)
    }

    /// One request of the client, with the origin's reply if the request reaches the origin.
    struct Step: Sendable {
        var method = "GET"
        /// The text after the address of the sequence's resource: a query, or the name of another resource.
        var place = ""
        /// The header fields of the request.
        var fields: [String: String] = [:]
        /// The time before the request, in seconds.
        var pause: Double = 0
        /// The time that the origin takes to reply, in seconds.
        var delay: Double = 0
        /// The time by which the wall clock is set forward before the request, in seconds; negative to set it back.
        var wallShift: Double = 0
        var reply: Reply
        var outcome: Outcome
    }
}

extension CacheSequence.Step {
    /// A load: the library may use stored data.
    static func get(
        _ reply: Reply = .ok(), _ fields: [String: String] = [:], at place: String = "", after pause: Double = 0,
        delay: Double = 0, wallShift: Double = 0, then outcome: Outcome = .any
    ) -> Self {
        Self(
            place: place, fields: fields, pause: pause, delay: delay, wallShift: wallShift, reply: reply,
            outcome: outcome
        )
    }

    /// A request with another method, or with a `Range`.
    static func send(
        _ method: String, _ reply: Reply = .ok(), _ fields: [String: String] = [:], at place: String = "",
        after pause: Double = 0, then outcome: Outcome = .any
    ) -> Self {
        Self(method: method, place: place, fields: fields, pause: pause, reply: reply, outcome: outcome)
    }
}

extension CacheSequence: CustomTestStringConvertible {
    var testDescription: String { "[\(kind.rawValue)] \(id) (RFC \(section))" }
}

extension CacheSequence {
    /// All sequences.
    static let all: [CacheSequence] =
        freshness + directives + ages + dates + heuristics + statuses + requests + conditions + headers + updates
        + invalidations + parts + staleness + variants + others + badInput + clocks
}
