import Foundation
import Siesta
import SiestaTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A user, and a list of users.
struct User: Codable, Equatable, Sendable, Identifiable {
    var id = 1
    var name = "Ada"
    var stars = 0

    var json: StubAnswer { .json(text) }

    func json(etag: String) -> StubAnswer { .json(text, headers: ["ETag": etag]) }

    var text: String { #"{"id": \#(id), "name": "\#(name)", "stars": \#(stars)}"# }
}

/// A service with a user and a list of users on a stub network.
@MainActor
struct StubbedUser {
    let clock = TestClock()
    let network = StubNetwork()
    let service: Service
    let user: TypedResource<User>
    let list: TypedResource<[User]>

    init(_ configure: (Service) -> Void = { _ in }) {
        let network = network
        service = clock.whileCurrent {
            Service(baseURL: "https://api.test", standardTransformers: [], networking: network)
        }
        service.decode("/users", as: [User].self, requestMethods: [.get])
        service.decode("/users/*", as: User.self, requestMethods: [.get])
        configure(service)
        user = service.resource("/users/1").typed()
        list = service.resource("/users").typed()
    }

    /// Loads the user.
    func load(_ answer: StubAnswer = User().json(etag: "\"1\"")) async throws {
        network.answer(.get, "/users/1", with: answer)
        try await user.load()
    }

    /// Loads the list.
    func loadList(_ users: [User] = [User(), User(id: 2, name: "Bob")]) async throws {
        network.answer(.get, "/users", with: .json("[\(users.map(\.text).joined(separator: ","))]"))
        try await list.load()
    }

    /// Makes the network hold all answers to requests with this method.
    func hold(_ method: RequestMethod, _ path: String = "/users/1") {
        network.answer(method, path, with: .held)
    }

    var names: [String?] { [user.content?.name, user.snapshot.content?.name] }
}
