/// The writes that were carried out, and the responses to their keys.
struct Ledger: Sendable {
    /// The number of keys that are remembered.
    private static let limit = 1_000

    /// The writes in the order in which they were carried out.
    private(set) var writes: [EmbeddedGitHub.AppliedWrite] = []

    private var responses: [String: HTTPResponse] = [:]
    private var keys: [String] = []

    /// Whether requests with this method change something.
    static func isWrite(_ method: String) -> Bool { !["GET", "HEAD"].contains(method) }

    /// The response to the first request with a key; nil if the key is not known.
    func response(for key: String) -> HTTPResponse? { responses[key] }

    /// Notes a write that was carried out. The oldest keys are forgotten.
    mutating func note(_ write: EmbeddedGitHub.AppliedWrite, _ key: String?, _ response: HTTPResponse) {
        writes.append(write)
        guard let key else { return }
        responses[key] = response
        keys.append(key)
        if keys.count > Self.limit { responses[keys.removeFirst()] = nil }
    }
}
