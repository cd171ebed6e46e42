import EmbeddedGitHub

/// What happened in one step of the script, in a form that is the same on every run.
struct Observation: Equatable, Sendable {
    /// What the observers were told: a line for each resource, in any order of resources.
    var events: [String] = []
    /// What reached the server, in any order.
    var requests: [String] = []

    /// What differs from what was expected, one line for each difference.
    func differences(from expected: Observation) -> [String] {
        [
            Self.difference("observers", expected.events.sorted(), events.sorted()),
            Self.difference("server", expected.requests.sorted(), requests.sorted()),
        ].compactMap { $0 }
    }

    private static func difference(_ name: String, _ expected: [String], _ got: [String]) -> String? {
        guard got != expected else { return nil }
        let missing = expected.filter { !got.contains($0) }
        let surplus = got.filter { !expected.contains($0) }
        return "\(name): expected \(missing.isEmpty ? expected : missing), got \(surplus.isEmpty ? got : surplus)"
    }
}

extension EmbeddedGitHub.ServedRequest {
    /// As in `304 GET /users/x, conditional`.
    var line: String {
        "\(status.map(String.init) ?? "---") \(method) \(place)" + (isConditional ? ", conditional" : "")
            + (isAuthorised ? ", with token" : "")
    }

    /// The target, without the random values of an authorization.
    private var place: String {
        target.hasPrefix(Addresses.authorization) ? Addresses.authorization : target
    }
}
