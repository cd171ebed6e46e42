import Foundation
import Siesta

/// A change that a user of the embedded server has made.
package struct FeedEvent: Codable, Hashable, Identifiable, Sendable {
    /// The number of the change. The first one has the number 1.
    package let id: Int
    /// The login of the user.
    package let actor: String
    /// A verb in the past tense, such as `starred`.
    package let action: String
    /// The full name of a repository, or the login of an account.
    package let subject: String
}

/// The number of stars of a repository.
package struct StarCount: Codable, Hashable, Sendable {
    package let count: Int
}

extension LiveSource {
    /// The stream of the embedded server. Each event is a change by a user, which is added to the feed, and replaces the
    /// number of stars of its repository.
    static let changes: LiveSource = {
        var source = LiveSource.eventSource("/events/stream") { event, url in
            let change = try event.decoded(as: Change.self)
            let version = LiveVersion(change.id)
            guard url.lastPathComponent == "stars" else {
                let patch = #"[{"op": "add", "path": "/0", "value": \#(event.data)}]"#
                return .patch(patch, base: LiveVersion(change.id - 1), version: version)
            }
            guard let stars = change.stars, url.path.hasSuffix("/repos/\(change.subject)/stars") else { return nil }
            return .replace(content: StarCount(count: stars), version: version)
        }
        source.version = { $0.header(forKey: "Last-Event-ID").map { LiveVersion($0) } }
        return source
    }()

    private struct Change: Decodable {
        let id: Int
        let subject: String
        let stars: Int?
    }
}
