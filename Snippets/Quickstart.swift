// Loads a resource and prints every event of it. Usage: Quickstart [BASE-URL [PATH]]
import Foundation
import Siesta

// snippet.show
let api = Service(baseURL: CommandLine.arguments.dropFirst().first ?? "https://api.github.com")
let user = api.resource(CommandLine.arguments.dropFirst(2).first ?? "/users/apple")

user.addObserver(owner: api) { user, event in
    print(event, "|", user.jsonDict["name"] ?? "no data", "|", user.latestError?.userMessage ?? "no error")
}
user.loadIfNeeded()?.onCompletion { _ in exit(user.latestData == nil ? 1 : 0) }
RunLoop.main.run()
