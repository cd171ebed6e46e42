// The code of the articles about observing, typed resources, concurrency, and the migration from Siesta 1.5. It is
// compiled, not run.
import Foundation
import Observation
import Siesta

struct User: Codable, Sendable {
    var id: Int
    var name: String
}

let service = Service(baseURL: "https://api.example.com")
let resource = service.resource("/users/42")

// snippet.observer
@MainActor
final class UserScreen: ResourceObserver {
    func resourceChanged(_ resource: Resource, event: ResourceEvent) {
        print(event, resource.jsonDict["name"] ?? "nobody")
    }
}

let screen = UserScreen()
resource.addObserver(screen)
resource.addObserver(owner: screen) { resource, event in
    print(event, resource.latestError?.userMessage ?? "no error")
}
resource.loadIfNeeded()
// snippet.end

// snippet.sequence
let states = Task {
    resource.loadIfNeeded()
    for await state in resource.states {
        print(state.data?.text ?? "nothing", state.isLoading, state.isStale, state.progress ?? 0)
    }
}
let events = Task {
    for await change in resource.events {
        if change.missed > 0 { print("missed", change.missed) }
        print(change.event)
    }
}
states.cancel()
events.cancel()
// snippet.end

// snippet.tracking
@MainActor
func show() {
    withObservationTracking {
        print(resource.latestData?.text ?? "nothing", resource.isLoading)
    } onChange: {
        Task { @MainActor in show() }
    }
}

show()
resource.loadIfNeeded()
// snippet.end

// snippet.typed
service.decode("/users/*", as: User.self)
let user = service.resource("/users/42", as: User.self)

print(user.content?.name ?? "no data")  // The current content. This line sends no request.
let fresh = try await user.fresh()  // Sends a request only if the data is not fresh.
let newest = try await user.load()  // Always sends a request.
user.content = User(id: 42, name: "Ada")
print(user.resource === service.resource("/users/42"))  // true
// snippet.end

// snippet.decoder
let decoder = JSONDecoder()
decoder.keyDecodingStrategy = .convertFromSnakeCase
service.configure { $0.jsonDecoder = decoder }
service.decode("/teams/*", as: [User].self)
// snippet.end

// snippet.decode-page
struct Page: Sendable {
    let users: [User]
    let next: String?
}
service.decode("/users", as: [User].self) { Page(users: $0.content, next: $0.header(forKey: "Link")) }
let firstPage = try await service.resource("/users", as: Page.self).fresh()
// snippet.end

// snippet.optimistic
let before = user.entity
user.content?.name = "Grace"  // All observers see the new name at once.
do {
    try await user.request(.patch, body: ["name": "Grace"]).finished()
} catch {
    user.entity = before  // Restores the content, its headers and its age.
}
// snippet.end

// snippet.body
let users = service.resource("/users", as: [User].self)
let created = try await users.request(.post, body: newest).decoded(as: User.self)
// snippet.end

// snippet.load-using
let changed = try await user.load(using: user.request(.put, body: User(id: 42, name: "Grace")))
// snippet.end

// snippet.related
let ada = users.child("42", as: User.self)
let friends = ada.relative("42/friends", as: [User].self)
let secondPage = users.withParam("page", "2")  // The type of the content is the same.
// snippet.end

// snippet.typed-observer
@MainActor
final class NameLabel {
    init(_ user: TypedResource<User>) {
        user.addObserver(owner: self) { user, event in
            print(event, user.content?.name ?? "nobody", user.isStale, user.date ?? .distantPast)
        }
        .loadIfNeeded()
    }
}
// snippet.end

// snippet.handler
struct UserHandlers: Sendable {
    let api: Service

    func show(_ id: Int) async throws(RequestError) -> User {
        try await api.resource("/users/\(id)", as: User.self).fresh()
    }

    func add(_ user: User) async throws(RequestError) -> String? {
        let response = try await api.resource("/users").request(.post, body: user).finished()
        print(response.status ?? 0, response.data?.count ?? 0)
        return response.header(forKey: "Location")
    }

    func remove(_ ids: [Int]) async throws {
        try await withThrowingTaskGroup { group in
            for id in ids {
                group.addTask { try await api.resource("/users/\(id)").request(.delete).content(as: Void.self) }
            }
            try await group.waitForAll()
        }
    }
}
// snippet.end

// snippet.template
let template = try URITemplate("/repos/{owner}/{repo}{?page,per_page}")
print(try template.expanded(with: ["owner": "apple", "repo": "swift", "page": 2]))  // /repos/apple/swift?page=2
let page = service.resource(
    template: "/repos/{owner}/{repo}{?page}", ["owner": "apple", "repo": "swift", "page": 2]
).typed(as: User.self)
// snippet.end

// snippet.snapshot
let line = await Task.detached {
    let snapshot = user.snapshot  // Does not wait for the main actor.
    return "\(snapshot.content?.name ?? "nobody"), stale: \(snapshot.isStale)"
}.value
// snippet.end

// snippet.wipe
service.wipeResources(includingCaches: true)
// snippet.end
