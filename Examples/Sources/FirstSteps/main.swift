// A first program: it shows users of an API, follows one of them, and survives a failing server.
//
//     swift run FirstSteps [--live]
import EmbeddedGitHub
import Foundation
import Siesta

/// A user as the API describes it.
struct User: Codable, Sendable {
    let login: String
    let name: String?
    let followers: Int?
}

/// The API: everything about its URLs and its content is in this class.
final class GitHub: Service {
    init(_ baseURL: String) {
        super.init(baseURL: baseURL)
        configure { $0.headers["Accept"] = "application/vnd.github+json" }
        configure("/users/*") { $0.expirationTime = 60 }  // For a minute, data is fresh.
        decode("/users/*", as: User.self)
    }

    func user(_ login: String) -> TypedResource<User> {
        resource(template: "/users/{login}", ["login": login], as: User.self)
    }
}

let server = try EmbeddedGitHub()  // Serves GitHub's API on loopback.
let github = GitHub(CommandLine.arguments.contains("--live") ? "https://api.github.com" : server.baseURL.absoluteString)
let logins = CommandLine.arguments.contains("--live") ? ["apple", "swiftlang"] : ["mira-sato", "old-rope"]

// 1. Await the data. The second request for the same user sends nothing: the data is fresh.
for login in logins + logins {
    let user = try await github.user(login).get()
    print("\(user.name ?? user.login) has \(user.followers ?? 0) followers")
}

// 2. Follow a resource. A view would do this for as long as it is visible.
let user = github.user(logins[0])
user.resource.load()
for await state in user.states {
    print(state.isLoading ? "loading …" : "loaded:", state.content?.login ?? "nobody")
    if !state.isLoading { break }
}

// 3. An error does not remove the data, so a view can show both.
do {
    _ = try await github.user("nobody-has-this-name").get()
} catch {
    print("Error: \(error.userMessage)")
}
server.stop()
