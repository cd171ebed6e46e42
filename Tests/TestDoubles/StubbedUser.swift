import Foundation
package import SiestaCore
package import SiestaTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A user, and a list of users.
package struct User: Codable, Equatable, Sendable, Identifiable {
    package var id: Int
    package var name: String
    package var stars: Int

    package init(id: Int = 1, name: String = "Ada", stars: Int = 0) {
        (self.id, self.name, self.stars) = (id, name, stars)
    }

    package var json: StubAnswer { .json(text) }

    package func json(etag: String) -> StubAnswer { .json(text, headers: ["ETag": etag]) }

    package var text: String { #"{"id": \#(id), "name": "\#(name)", "stars": \#(stars)}"# }
}

/// A service with a user and a list of users on a stub network.
@MainActor
package struct StubbedUser {
    package let clock = TestClock()
    package let network = StubNetwork()
    package let service: Service
    package let user: TypedResource<User>
    package let list: TypedResource<[User]>

    package init(_ configure: (Service) -> Void = { _ in }) {
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
    package func load(_ answer: StubAnswer = User().json(etag: "\"1\"")) async throws {
        network.answer(.get, "/users/1", with: answer)
        try await user.get(.always)
    }

    /// Loads the list.
    package func loadList(_ users: [User] = [User(), User(id: 2, name: "Bob")]) async throws {
        network.answer(.get, "/users", with: .json("[\(users.map(\.text).joined(separator: ","))]"))
        try await list.get(.always)
    }

    /// Makes the network hold all answers to requests with this method.
    package func hold(_ method: RequestMethod, _ path: String = "/users/1") {
        network.answer(method, path, with: .held)
    }

    package var names: [String?] { [user.content?.name, user.snapshot.content?.name] }
}
