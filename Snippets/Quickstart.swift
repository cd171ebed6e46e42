// Loads a user and prints its name. Then loads the user again, and prints the states of the resource during this load.
// Usage: Quickstart [BASE-URL [PATH]]
import Siesta

// snippet.show
struct User: Codable, Sendable {
    let login: String
    let name: String?
}

let arguments = CommandLine.arguments.dropFirst()
let api = Service(baseURL: arguments.first ?? "https://api.github.com")
api.decode("/users/*", as: User.self)
let user = api.resource(arguments.dropFirst().first ?? "/users/apple", as: User.self)

print(try await user.get().name ?? "no name")  // Sends a request only if the data is not fresh.

user.resource.load()
for await state in user.states {  // The current state, and the new state after each change.
    print(state.content?.login ?? "no data", state.isLoading, state.error?.userMessage ?? "no error")
    if !state.isLoading { break }
}
