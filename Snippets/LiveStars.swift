// Prints the stars of a repository, and prints them again after each change on the server, until the process ends.
// Usage: LiveStars BASE-URL
import Siesta

// snippet.show
struct Stars: Codable, Sendable {
    let count: Int
}

struct Change: Codable {
    let id: Int, subject: String, stars: Int?
}

let api = Service(baseURL: CommandLine.arguments.dropFirst().first ?? "http://localhost:8080")
api.decode("/repos/*/*/stars", as: Stars.self)
api.configure("/repos/*/*/stars") {
    $0.live = .eventSource("/events/stream") { event, url in
        let change = try event.decoded(as: Change.self)
        guard let count = change.stars, url.path.contains("/\(change.subject)/") else { return nil }
        return .replace(content: Stars(count: count), version: LiveVersion(change.id))
    }
}

let stars = api.resource("/repos/lanternworks/lucid-anchor/stars", as: Stars.self)
stars.resource.loadIfNeeded()
for await state in stars.states {
    print(state.content?.count ?? 0, state.live)
}
