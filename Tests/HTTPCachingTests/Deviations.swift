extension SequencePlayer.Storage {
    /// The sequences without the expected outcome, and the reasons. A test fails if a sequence of this list has it.
    var deviations: [String: String] {
        switch self {
        case .memory: ["vary.several": "A resource has one entity in memory. Only caches keep several variants."]
        case .persistentCache: Self.secrets.merging(Self.restarts) { first, _ in first }
        case .both: [:]
        }
    }

    private static let secrets = [
        "header.Set-Cookie.stored", "header.WWW-Authenticate.stored", "update.etag.Set-Cookie",
        "update.etag.WWW-Authenticate", "update.date.Set-Cookie", "update.date.WWW-Authenticate",
    ].reduce(into: [:]) { $0[$1] = "Persistent caches do not store credentials." }

    private static let restarts = ["clock.back", "clock.back.swr"].reduce(into: [:]) {
        $0[$1] = "After a restart, only the wall clock shows how old an entity is."
    }
}
